import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RecordDraft, RecordKey, Store } from '../../core/runtime/index.ts';
import { createToolbox, defineTool, type Guard, type Outcome, pending } from '../../index.ts';
import { memoryStore } from '../stores/memory.ts';
import { approvals } from './approvals.ts';
import { defer } from './defer.ts';
import { idempotency } from './idempotency.ts';
import { journal } from './journal.ts';
import { spill } from './spill.ts';

// One clock for the whole file: the deadlines of all calls share it.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

type Asked = RecordKey & Partial<RecordDraft>;

/** A store that never answers some questions. */
function hanging(isSilent: (asked: Asked) => boolean): Store {
  const store = memoryStore();
  const ask = <TResult>(asked: Asked, answer: () => Promise<TResult>): Promise<TResult> =>
    isSilent(asked) ? new Promise(() => undefined) : answer();
  return {
    ...store,
    get: (at) => ask(at, () => store.get(at)),
    put: (draft, expect) => ask(draft, () => store.put(draft, expect)),
    add: (at, amount, windowMs) => ask(at, () => store.add(at, amount, windowMs)),
  };
}

const common = { description: 'x', timeoutMs: 800 };
const tools = [
  defineTool({ ...common, name: 'look', effects: 'none', run: () => 'seen' }),
  defineTool({ ...common, name: 'write', run: () => 'written' }),
  defineTool({ ...common, name: 'list', effects: 'none', maxResultChars: 50, run: () => 'x'.repeat(1000) }),
  defineTool({ ...common, name: 'wait', run: () => pending({ handle: 'h', reason: 'host' }) }),
] as const;

async function answer(guard: Guard, name: string): Promise<Outcome> {
  const box = createToolbox(tools, { use: [guard], report: () => undefined });
  const outcome = box.answer({ name }, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(3000);
  return outcome;
}

const all = () => true;

describe('a store that hangs for longer than a call has time does not break one that does not need it', () => {
  test.each<[string, Guard, string, string]>([
    ['journal, at the start', journal({ store: hanging(all) }), 'look', 'not recorded'],
    ['journal, of a writing call', journal({ store: hanging(all) }), 'write', 'not recorded'],
    ['journal, at the end', journal({ store: hanging(({ space }) => space === 'call-end') }), 'write', 'its end is not recorded'],
    ['idempotency, of a call that may be repeated', idempotency({ store: hanging(all) }), 'look', 'not protected against repetition'],
    [
      'idempotency, after a writing call has run',
      idempotency({ store: hanging(({ value }) => (value as { state?: string } | undefined)?.state === 'done') }),
      'write',
      'the outcome could not be stored',
    ],
    ['spill', spill({ store: hanging(all) }), 'list', 'the whole result was not kept'],
    ['defer', defer({ store: hanging(all) }), 'wait', 'it cannot be settled later'],
  ])('%s', async (_, guard, name, warning) => {
    const outcome = await answer(guard, name);
    expect([outcome.status, outcome.meta.warnings?.at(-1)]).toEqual([
      name === 'wait' ? 'pending' : 'ok',
      expect.stringContaining(`${warning}: the store did not answer within`),
    ]);
  });
});

describe('and keeps one that does need it from running', () => {
  test('a writing call with a key', async () => {
    const outcome = await answer(idempotency({ store: hanging(all) }), 'write');
    expect(outcome.status === 'error' && [outcome.error.effect, outcome.meta.attempts]).toEqual(['none', 0]);
  });

  test('a call that needs an approval', async () => {
    const tool = defineTool({ ...common, name: 'ask', approval: true, run: () => 'done' });
    const box = createToolbox([tool], { use: [approvals({ store: hanging(all) })], report: () => undefined });
    const outcome = box.call('ask', {});
    await vi.advanceTimersByTimeAsync(3000);
    expect(await outcome).toMatchObject({ status: 'error', error: { effect: 'none' }, meta: { attempts: 0 } });
  });
});
