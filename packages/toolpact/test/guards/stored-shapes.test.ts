import { describe, expect, test } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import type { Outcome } from '../../src/index.ts';
import type { RecordDraft, Store } from '../../src/ports/index.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { now, openBox } from './guarded-box.ts';
import fixtures from './stored-shapes.json' with { type: 'json' };

skipTime();

// The records in the fixtures were written by the first version of each shape. They are never changed: whoever changes a shape adds to them.
const records = fixtures as readonly RecordDraft[];
const short = (outcome: Outcome) =>
  outcome.status === 'error' ? outcome.error.kind : outcome.status === 'ok' ? outcome.data : outcome.status;

/** A process that finds what an earlier version left behind. */
async function find(change: (record: RecordDraft) => RecordDraft = (record) => record) {
  const store = memoryStore({ now });
  const written = records.map(change);
  for (const record of written) await store.put(record, 0);
  return { store, ...openBox(store) };
}

test('there is a fixture of every shape that guards store', () => {
  expect([...new Set(records.map(({ space }) => space))].sort()).toEqual([
    'approval',
    'approval-of',
    'cache',
    'call',
    'call-end',
    'call-taken',
    'circuit',
    'claim',
    'owner',
    'pending',
    'result',
    'secret',
  ]);
});

describe('what the first version stored is read', () => {
  test.each([
    ['pay', 'done', 'paid long ago', []],
    ['pay', 'cut-off', 'interrupted', []],
    ['pay', 'unknown', 'unreachable', []],
    ['pay', 'free', 'paid', ['free']],
    ['transfer', 'cut-off', 'found cut-off', []],
    ['upload', 'done', 'uploaded long ago', []],
    ['upload', 'cut-off', 'uploaded', ['cut-off']],
  ] as const)('claim: %s %s', async (tool, id, answer, runs) => {
    const { toolbox, ran } = await find();
    const outcome = await toolbox.call(tool, { id });
    expect([short(outcome), ran, outcome.meta.warnings]).toEqual([answer, runs, undefined]);
  });

  test('claim: the same key with other arguments is a conflict', async () => {
    const { toolbox } = await find((record) =>
      record.key === '["pay","d8d4467db8ee304aab98f6a53955f12a37315ee85548e75dacb87e2c0e2ede1b"]'
        ? { ...record, value: { ...(record.value as object), fields: { id: 'of something else' } } }
        : record,
    );
    const outcome = await toolbox.call('pay', { id: 'done' });
    expect(outcome.status === 'error' && [outcome.error.code, outcome.error.details]).toEqual(['key_reused', { fields: ['id'] }]);
  });

  test('call, call-end, call-taken, owner: the run is resumed', async () => {
    const { toolbox, ran } = await find();
    const resumed = await toolbox.resume('run_1');
    expect(resumed.map(({ callId, tool, how, outcome }) => [callId, tool, how, short(outcome)])).toEqual([
      ['c1', 'post', 'recorded', 'posted long ago'],
      ['c2', 'post', 'interrupted', 'interrupted'],
      ['c3', 'ping', 'running', 'pending'],
      ['c4', 'upload', 'repeated', 'uploaded'],
    ]);
    expect(ran).toEqual(['cut-off']);
  });

  test('call, call-end: a call is found by its invocation id', async () => {
    const { toolbox } = await find();
    const found = await toolbox.findCall('inv-1');
    expect([found?.tool, found?.outcome && short(found.outcome)]).toEqual(['post', 'posted long ago']);
  });

  test('approval, approval-of, pending: the call still waits, is approved, runs once, and those who wait hear of it', async () => {
    const { toolbox, ran } = await find();
    expect((await toolbox.listApprovals()).map(({ handle }) => handle)).toEqual(['approval_1']);
    const waiting = await toolbox.call('send', { id: 's1' });
    expect(waiting.status === 'pending' && waiting.pending.handle).toBe('approval_1');
    expect(await toolbox.decide('approval_1', 'approve', { by: 'ann' })).toMatchObject({ ok: true, approval: { state: 'approved' } });
    expect([short(await toolbox.call('send', { id: 's1' })), ran]).toEqual(['sent', ['s1']]);
    expect(short(await toolbox.wait('approval_1'))).toBe('sent');
  });

  test('pending: a call that ended is answered, and one that waits is settled', async () => {
    const { toolbox } = await find();
    expect(short(await toolbox.wait('build-settled'))).toBe('built long ago');
    expect(short(await toolbox.settle('build-waiting', 'built'))).toBe('built');
    expect(short(await toolbox.wait('build-waiting'))).toBe('built');
  });

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
  const rejection = (asked: Promise<unknown>) =>
    asked.then(
      () => 'nothing',
      (error: Error) => error.message,
    );
  const call = async ({ toolbox, ran }: Box, tool: Parameters<Box['toolbox']['call']>[0], id: string) => {
    const outcome = await toolbox.call(tool, { id });
    return [short(outcome), ran, outcome.meta.warnings];
  };
  const unreadable = 'the store gave a record that cannot be read here';
  const halfRun = 'The journal cannot be read: the store holds a call that cannot be read here.';

  test.each<readonly [space: string, what: string, ask: (box: Box) => Promise<unknown>, answer: unknown]>([
    ['claim', 'a writing call is refused', (box) => call(box, 'pay', 'done'), ['not_ready', [], undefined]],
    ['claim', 'so is one that was cut off', (box) => call(box, 'transfer', 'cut-off'), ['not_ready', [], undefined]],
    [
      'claim',
      'any other runs with a warning',
      (box) => call(box, 'upload', 'done'),
      ['uploaded', ['done'], [`not protected against repetition: ${unreadable}`]],
    ],
    ['call', 'the run is not resumed', ({ toolbox }) => rejection(toolbox.resume('run_1')), halfRun],
    ['call', 'the call is not found', ({ toolbox }) => toolbox.findCall('inv-1'), undefined],
    [
      'call',
      'another call of the same id runs',
      async ({ toolbox, ran }) => [short(await toolbox.call('pay', { id: 'free' }, { invocationId: 'inv-1' })), ran],
      ['paid', ['free']],
    ],
    [
      'call-end',
      'the run is not resumed',
      ({ toolbox, ran }) => rejection(toolbox.resume('run_1')).then((why) => [why, ran]),
      [halfRun, []],
    ],
    [
      'call-taken',
      'the call is left to whoever took it',
      async ({ toolbox, ran }) => [(await toolbox.resume('run_1')).map(({ how }) => how), ran],
      [['recorded', 'running', 'running', 'repeated'], ['cut-off']],
    ],
    ['owner', 'the process is taken to be alive', async ({ toolbox }) => (await toolbox.resume('run_1'))[2]?.how, 'running'],
    ['approval', 'the call is refused', (box) => call(box, 'send', 's1'), ['not_ready', [], undefined]],
    [
      'approval',
      'nothing is decided',
      ({ toolbox }) => rejection(toolbox.decide('approval_1', 'approve')),
      'The approvals cannot be read: the store gave an approval that cannot be read here.',
    ],
    ['approval-of', 'the call is refused', (box) => call(box, 'send', 's1'), ['not_ready', [], undefined]],
    ['pending', 'there is no outcome', async ({ toolbox }) => short(await toolbox.wait('build-settled')), 'not_found'],
    ['pending', 'nothing is settled', async ({ toolbox }) => short(await toolbox.settle('build-waiting', 'built')), 'not_found'],
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
