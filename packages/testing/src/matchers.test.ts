import { createToolbox, defineTool, fail, type Outcome, ok, partial, pending } from 'toolpact';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { matchers, type OutcomeMatchers } from './matchers.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void>, T> extends OutcomeMatchers<R> {}
}
expect.extend(matchers);

const replies = {
  ok: () => ok({ celsius: 21, at: 'Kyoto' }),
  failed: () => fail('rate_limited', 'Too many.', { retryAfterMs: 8000, code: 'quota' }),
  waiting: () => pending({ handle: 'h1', reason: 'approval' }),
  some: () => partial(['a', 'b'], [{ index: 2, error: fail('timeout', 'Too slow.') }]),
};
const tool = defineTool({
  name: 'reply',
  description: 'Replies.',
  effects: 'none',
  input: z.object({ how: z.enum(['ok', 'failed', 'waiting', 'some']) }),
  run: ({ how }): unknown => replies[how](),
});
const { call } = createToolbox([tool], { report: () => undefined });
const outcomeOf = (how: keyof typeof replies): Promise<Outcome> => call('reply', { how });

test('outcomes are what they are', async () => {
  expect(await outcomeOf('ok')).toBeOk();
  expect(await outcomeOf('ok')).toBeOk({ celsius: 21, at: 'Kyoto' });
  expect(await outcomeOf('ok')).toBeOk(expect.objectContaining({ celsius: expect.any(Number) }));
  expect(await outcomeOf('failed')).toFailWith('rate_limited');
  expect(await outcomeOf('failed')).toFailWith('rate_limited', {
    retryAfterMs: 8000,
    code: 'quota',
    message: expect.stringMatching('Too'),
  });
  expect(await outcomeOf('waiting')).toBePending();
  expect(await outcomeOf('waiting')).toBePending('approval');
  expect(await outcomeOf('some')).toBePartial();
  expect(await outcomeOf('some')).toBePartial({ failed: 1, total: 3, data: ['a', 'b'] });
  await expect(outcomeOf('failed')).resolves.not.toBeOk();
});

const words: Readonly<Record<keyof typeof matchers, readonly unknown[]>> = {
  toBeOk: [],
  toFailWith: ['rate_limited'],
  toBePending: [],
  toBePartial: [],
};
const fits = { toBeOk: 'ok', toFailWith: 'failed', toBePending: 'waiting', toBePartial: 'some' } as const;

test.each(Object.keys(fits) as (keyof typeof fits)[])('%s takes its own status and no other', async (name) => {
  const match = matchers[name] as (received: unknown, ...words: readonly unknown[]) => ReturnType<typeof matchers.toBeOk>;
  for (const how of Object.keys(replies) as (keyof typeof replies)[]) {
    expect(match(await outcomeOf(how), ...words[name]).pass).toBe(fits[name] === how);
  }
  expect(match('text', ...words[name]).pass).toBe(false);
  expect(match(null, ...words[name]).pass).toBe(false);
});

test.each<[string, (outcomes: Readonly<Record<keyof typeof replies, Outcome>>) => unknown, RegExp]>([
  ['other data', ({ ok }) => expect(ok).toBeOk({ celsius: 22 }), /to be ok with {"celsius":22}; data is {"celsius":21,"at":"Kyoto"}, not/],
  ['undefined as data', ({ ok }) => expect(ok).toBeOk(undefined), /data is {"celsius":21,"at":"Kyoto"}, not undefined/],
  ['another kind', ({ failed }) => expect(failed).toFailWith('timeout'), /kind is "rate_limited", not "timeout".*Too many\./],
  ['another fact', ({ failed }) => expect(failed).toFailWith('rate_limited', { code: 'own' }), /code is "quota", not "own"/],
  ['another reason', ({ waiting }) => expect(waiting).toBePending('running'), /reason is "approval", not "running"/],
  ['another count', ({ some }) => expect(some).toBePartial({ failed: 2 }), /failed is 1, not 2/],
  ['another status', ({ failed }) => expect(failed).toBeOk(), /expected the outcome to be ok; its status is error: \[error: rate_limited/],
  ['what must not be', ({ ok }) => expect(ok).not.toBeOk(), /expected the outcome not to be ok; its status is ok/],
  ['no outcome', () => expect({ status: 'ok' } as unknown).toBeOk(), /expected an outcome to be ok, and got no outcome: {"status":"ok"}/],
])('a test that expects %s fails, and says why', async (_, run, message) => {
  const [ok, failed, waiting, some] = await Promise.all((['ok', 'failed', 'waiting', 'some'] as const).map(outcomeOf));
  expect(() => run({ ok, failed, waiting, some } as Parameters<typeof run>[0])).toThrow(message);
});

test.each([
  ['a forgotten await', () => expect(Promise.resolve() as unknown).not.toBeOk(), /not to be ok, and got no outcome: a promise; await it/],
  ['nothing', () => expect(undefined as unknown).not.toFailWith('timeout'), /not to fail, and got no outcome: undefined/],
])('%s is no outcome that is not so', (_, attempt, message) => {
  expect(attempt).toThrow(message);
});
