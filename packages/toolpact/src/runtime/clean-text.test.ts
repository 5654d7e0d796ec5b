import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import { describe, expect, test } from 'vitest';
import { anthropic, type Dialect, gemini, mcp, openai, problem } from '../dialects/index.ts';
import { isCleanText } from '../json/index.ts';
import { fail, type Outcome, ok, partial, pending, toModelText } from '../outcome/index.ts';
import { defineTool } from './define-tool.ts';
import { createToolbox } from './toolbox.ts';

const dirty = 'a\ud83d b\u0000 c\u001b[31m d\udc00\u0007 e\u009b2J';

/** Tools that put half a surrogate pair and control characters wherever text can stand. */
const runs: Record<string, () => unknown> = {
  'a text as result': () => dirty,
  'text and keys in a result': () => ({ [dirty]: [dirty, { deep: dirty }] }),
  'a message and content': () => ok({ fine: true }, { message: dirty, content: [{ type: 'text', text: dirty }], warnings: [dirty] }),
  'failed items': () => partial([dirty], [{ index: 1, id: dirty, error: new Error(dirty) }], { total: 2 } as never),
  'a question': () => pending({ handle: 'h1', reason: 'input', ask: { message: dirty } }),
  'a thrown error': () => {
    throw new Error(dirty);
  },
  'an error of a service': () => {
    throw Object.assign(new Error(dirty), {
      status: 422,
      code: dirty,
      body: { message: dirty, errors: { [dirty]: [dirty] } },
      headers: { 'x-request-id': dirty },
    });
  },
  'a stated failure': () => {
    throw fail('conflict', dirty, { details: { [dirty]: dirty }, code: 'taken', data: { [dirty]: dirty } } as never);
  },
};

const dialects = { flat, coded, value, status, mcp, openai, anthropic, gemini, problem };

describe('text that no provider takes never leaves', () => {
  test.each(Object.keys(runs))('%s', async (title) => {
    const tool = defineTool({ name: 'dirty', description: 'x', effects: 'none', run: runs[title] as () => never });
    const outcome = (await createToolbox([tool], { report: () => undefined }).answer({
      name: 'dirty',
      args: { [dirty]: dirty },
      callId: 'c1',
    })) as Outcome;
    expect(uncleanIn(outcome)).toEqual([]);
    expect(isCleanText(toModelText(outcome))).toBe(true);
    for (const [name, dialect] of Object.entries<Dialect>(dialects)) expect([name, uncleanIn(dialect.encode(outcome))]).toEqual([name, []]);
  });
});

/** Lists texts and keys with forbidden characters, by their path. */
function uncleanIn(part: unknown, path = ''): string[] {
  if (typeof part === 'string') return isCleanText(part) ? [] : [path];
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, item]) => [
    ...(isCleanText(key) ? [] : [`${path} key`]),
    ...uncleanIn(item, `${path}.${key}`),
  ]);
}
