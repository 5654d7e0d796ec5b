import { fromJsonSchema } from '@toolpact/openapi';
import { checks as coded } from '@toolpact/origins/coded';
import { checks as errorType, ToolExecutionError } from '@toolpact/origins/error-type';
import { checks as flat } from '@toolpact/origins/flat';
import { checks as status } from '@toolpact/origins/status';
import { checks as value } from '@toolpact/origins/value';
import { type AnswerCheck, checkTools } from '@toolpact/testing';
import { createToolbox, defineTool, fail } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const contracts = { flat, coded, value, status, 'error-type': errorType };

const base = {
  description: 'Searches titles by a keyword.',
  input: z.object({ keyword: z.string().min(1).max(40) }),
  effects: 'none',
  examples: [{ input: { keyword: 'K-ON' } }],
} as const;
const output = z.object({ results: z.array(z.string()) });
const run = ({ keyword }: { keyword: string }) => ({ results: [keyword] });

/** Keeps all five contracts. */
const good = defineTool({ ...base, name: 'good', output, onFailure: { results: [] }, run });

/** For each check a tool that breaks it, and nothing else of its contract. */
const broken = {
  'contract/flat-defaults': defineTool({ ...base, name: 'bad', output, run: () => fail('not_found', 'Nothing was found.') }),
  'contract/flat-names': defineTool({ ...base, name: 'bad', run: () => ({ error: 'none' }) }),
  'contract/coded-numbers': undefined,
  'contract/coded-success': defineTool({ ...base, name: 'bad', run: () => ({ success: true }) }),
  'contract/value-documented': defineTool({ ...base, name: 'bad', run }),
  'contract/value-message': undefined,
  'contract/status-input': defineTool({ ...base, name: 'bad', echoInput: false, run }),
  'contract/status-arms': undefined,
  'contract/error-type': defineTool({
    ...base,
    name: 'bad',
    run: (): string => {
      throw new ToolExecutionError('It failed.', { errorType: 'a sentence, not a label' });
    },
  }),
} as const;

async function found(tool: Parameters<typeof createToolbox>[0][number], checks: readonly AnswerCheck[]): Promise<string[]> {
  const findings = await checkTools(createToolbox([tool], { report: () => undefined }), { checks, schema: fromJsonSchema });
  return findings.filter(({ level }) => level === 'must').map(({ check }) => check);
}

describe.each(Object.entries(contracts))('the contract %s', (_, checks) => {
  test('is kept by a tool that declares its result and its default', async () => {
    expect(await found(good, checks)).toEqual([]);
  });

  test.each(checks.flatMap(({ id }) => (broken[id as keyof typeof broken] === undefined ? [] : [id])))(
    '%s is broken by a tool of its own',
    async (id) => {
      expect(await found(broken[id as keyof typeof broken] ?? good, checks)).toContain(id);
    },
  );
});

test.each([
  ['contract/coded-numbers', 'coded', { status: 'error', error: { kind: 'internal', message: 'success' } }],
  ['contract/value-message', 'value', { status: 'ok', data: 1, message: ' ' }],
  ['contract/status-arms', 'status', { status: 'ok', data: 1, input: {}, meta: { tookMs: Number.NaN, attempts: 1 } }],
] as const)('%s is broken by an answer of another system', async (id, contract, answer) => {
  const facts = { recovery: 'stop', retryable: false, effect: 'none' };
  const outcome = {
    meta: { tool: 'far', traceId: 't', tookMs: 1, attempts: 1 },
    ...answer,
    ...('error' in answer && { error: { ...facts, ...answer.error } }),
  };
  const far = {
    list: () => [{ ...createToolbox([good]).list()[0], name: 'far' } as never],
    answer: async () => outcome as never,
  };
  expect((await checkTools(far, { checks: contracts[contract] })).map(({ check }) => check)).toContain(id);
});
