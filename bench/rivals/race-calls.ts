import { successes } from '../calls.ts';
import type { Contestant } from '../contestant.ts';
import { peers } from '../peer-calls.ts';
import { timeRounds } from '../time-rounds.ts';
import type { Cost } from './cost.ts';

/** The contestants of the whole benchmark that do the same work as `toolbox.call`, by the names that the table shows. */
const shown: Readonly<Record<string, string>> = {
  'toolbox.call': 'Toolpact',
  'bare minimum': 'by hand: `parse`, run, `parse`, `JSON.stringify`',
  'OpenAI Agents, tool.invoke': 'OpenAI Agents, `tool.invoke`',
  'Mastra, as its agent calls a tool': 'Mastra, as its agent calls a tool',
  'LangChain, tool.invoke': 'LangChain, `tool.invoke`',
  'MCP SDK 2, client.callTool in memory': 'MCP SDK 2, client and server in memory',
  'AI SDK, generateText with a mock model': 'AI SDK, one `generateText` step with a model that answers at once',
};

/** Times one call in this process, without a network and without a model. */
export async function raceCalls(rounds: number): Promise<Cost[]> {
  const contestants = [...successes, ...peers].filter(({ name }) => name in shown).map((one): Contestant => ({ ...one, alone: true }));
  const timings = await timeRounds(contestants, { rounds: rounds * 4, roundMs: 20, warmUpMs: 200 }, () => undefined);
  return Object.entries(shown).map(([name, rival]) => ({ rival, processorUs: (timings.get(name)?.best ?? Number.NaN) / 1000 }));
}
