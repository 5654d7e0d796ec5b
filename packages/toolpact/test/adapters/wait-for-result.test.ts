import { expect, test } from 'vitest';
import * as adk from '../../src/adapters/adk/index.ts';
import * as aiSdk from '../../src/adapters/ai-sdk/index.ts';
import * as anthropic from '../../src/adapters/anthropic/index.ts';
import * as genkit from '../../src/adapters/genkit/index.ts';
import * as googleGenai from '../../src/adapters/google-genai/index.ts';
import * as langchain from '../../src/adapters/langchain/index.ts';
import * as mastra from '../../src/adapters/mastra/index.ts';
import * as openai from '../../src/adapters/openai/index.ts';
import * as openaiAgents from '../../src/adapters/openai-agents/index.ts';
import * as strands from '../../src/adapters/strands/index.ts';
import * as tanstackAi from '../../src/adapters/tanstack-ai/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { memoryStore } from '../../src/stores/memory.ts';

const adapters = { adk, aiSdk, anthropic, genkit, googleGenai, langchain, mastra, openai, openaiAgents, strands, tanstackAi };

/** Finds the name of a tool in whatever form a host takes tools. */
function names(tools: unknown, depth = 0): string[] {
  if (typeof tools === 'function') return names((tools as { readonly __action?: unknown }).__action, depth + 1);
  if (typeof tools !== 'object' || tools === null || depth > 4) return [];
  const { name } = tools as { readonly name?: unknown };
  const own = typeof name === 'string' ? [name] : [];
  return [...own, ...Object.entries(tools).flatMap(([key, value]) => [key, ...names(value, depth + 1)])];
}

test.each(Object.entries(adapters))('%s offers wait_for_result where a tool can be pending, and only there', (_, { toTools }) => {
  // Hosts differ in the form of their tools, not in what they take.
  const offer = toTools as (toolbox: never) => unknown;
  const offered = (deferAfterMs: number | undefined): string[] => {
    const act = defineTool({ name: 'act', description: 'Acts.', effects: 'none', run: () => 1, ...(deferAfterMs && { deferAfterMs }) });
    return names(offer(createToolbox([act], { store: memoryStore() }) as never));
  };
  expect(offered(1)).toEqual(expect.arrayContaining(['act', 'wait_for_result']));
  expect(offered(undefined)).not.toContain('wait_for_result');
});
