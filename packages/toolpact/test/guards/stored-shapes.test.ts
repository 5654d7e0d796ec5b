import { beforeAll, describe, expect, test, vi } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import type { Outcome } from '../../src/index.ts';
import type { RecordDraft, Store } from '../../src/ports/index.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { moment, now, openBox } from './guarded-box.ts';
import fixtures from './stored-shapes.json' with { type: 'json' };

skipTime();
beforeAll(() => void vi.setSystemTime(moment));

// The records in the fixtures were written by the first version of each shape. They are never changed: whoever changes a shape adds to them.
const records: readonly RecordDraft[] = (fixtures as readonly (RecordDraft & { readonly expiresAt?: number })[]).map(
  ({ expiresAt, ...record }) => ({ ...record, ...(expiresAt !== undefined && { keepMs: expiresAt - moment }) }),
);
const short = (outcome: Outcome) =>
  outcome.status === 'error' ? outcome.error.kind : outcome.status === 'ok' ? outcome.data : outcome.status;

/** A process that finds what an earlier version left behind. */
async function find(change: (record: RecordDraft) => RecordDraft = (record) => record) {
  const store = memoryStore({ now });
  const written = records.map(change);
  for (const record of written) await store.put(record, 0);
  return { store, ...openBox(store) };
}

test('there is a fixture of every shape that is stored beside calls', () => {
  expect([...new Set(records.map(({ space }) => space))].sort()).toEqual(['cache', 'circuit', 'result', 'secret']);
});

describe('what the first version stored is read', () => {
  test('result: the rest is read', async () => {
    const { toolbox } = await find();
    const page = await toolbox.readResult('result_1', { offset: 1 });
    expect(page.status === 'ok' && page.data).toMatchObject({ value: ['row 1', 'row 2'], total: 3 });
  });

  test('cache: the result is used', async () => {
    const { toolbox, ran } = await find();
    const outcome = await toolbox.call('look_up', { id: 'k1' });
    expect([short(outcome), outcome.meta.cacheHit, ran]).toEqual(['looked up long ago', true, []]);
  });

  test.each([
    ['ping', 30_000],
    ['list', 5000],
  ] as const)('circuit: %s is not tried', async (tool, retryAfterMs) => {
    const { toolbox } = await find();
    const outcome = await toolbox.call(tool, { id: '1' });
    expect(outcome.status === 'error' && [outcome.error.code, outcome.error.retryAfterMs]).toEqual(['circuit_open', retryAfterMs]);
  });
});

describe('what a newer version stored is neither believed nor overwritten', () => {
  type Box = Awaited<ReturnType<typeof find>>;
  const newer = (space: string) => (record: RecordDraft) =>
    record.space === space ? { ...record, value: { ...(record.value as object), v: 2 } } : record;
  const stored = async (store: Store, space: string) => {
    const found = await Promise.all(records.filter((record) => record.space === space).map(async (record) => store.get(record)));
    return found.map((record) => [record?.key, record?.version, (record?.value as { v?: number } | undefined)?.v]);
  };
  const kept = (space: string) => records.filter((record) => record.space === space).map(({ key }) => [key, 1, 2]);
  const call = async ({ toolbox, ran }: Box, tool: Parameters<Box['toolbox']['call']>[0], id: string) => {
    const outcome = await toolbox.call(tool, { id });
    return [short(outcome), ran, outcome.meta.warnings];
  };
  const unreadable = 'the store gave a record that cannot be read here';

  test.each<readonly [space: string, what: string, ask: (box: Box) => Promise<unknown>, answer: unknown]>([
    ['result', 'there is nothing to read', async ({ toolbox }) => short(await toolbox.readResult('result_1')), 'not_found'],
    ['cache', 'the call runs', (box) => call(box, 'look_up', 'k1'), ['looked up', ['k1'], [expect.stringContaining(unreadable)]]],
    [
      'circuit',
      'the call runs with a warning',
      (box) => call(box, 'ping', '1'),
      ['pong', ['1'], [`the circuit was not checked: ${unreadable}`]],
    ],
  ])('%s: %s', async (space, _, ask, answer) => {
    const box = await find(newer(space));
    expect(await ask(box)).toEqual(answer);
    expect(await stored(box.store, space)).toEqual(kept(space));
  });
});
