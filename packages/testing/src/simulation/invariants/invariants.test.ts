import type { Outcome } from 'toolpact';
import { expect, test } from 'vitest';
import {
  createObservations,
  type FinalAnswer,
  type FinalRow,
  type Observations,
  type ObservedAnswer,
  type ObservedAttempt,
  type ObservedNotice,
  type ObservedRow,
  type ObservedRun,
  type ObservedStep,
} from '../observations.ts';
import { checkInvariants } from './check-invariants.ts';
import { groupViolations } from './group-violations.ts';

const meta = { tool: 'order', tookMs: 1, attempts: 1 };
const ok: Outcome = { status: 'ok', data: 'done', meta };
const pending: Outcome = { status: 'pending', pending: { handle: 'call_1', reason: 'running' }, meta };
const failed = (kind: string, effect: string, warnings?: readonly string[]): Outcome =>
  ({ status: 'error', error: { kind, effect, message: kind }, meta: { ...meta, ...(warnings && { warnings }) } }) as never;

const attempt = (facts: Partial<ObservedAttempt> = {}): ObservedAttempt => ({
  attempt: 'c1-1',
  tool: 'nap',
  id: 'nap-1',
  label: 'c1',
  process: 'P1',
  runId: 'run-1',
  input: { id: 'nap-1' },
  beganAt: 0,
  answeredAt: undefined,
  ...facts,
});
const run = (facts: Partial<ObservedRun> = {}): ObservedRun => ({
  place: 0,
  process: 'P1',
  tool: 'nap',
  id: 'nap-1',
  attempt: 'c1-1',
  invocationId: 'c1-1',
  row: facts.invocationId ?? 'c1-1',
  input: { id: 'nap-1' },
  beganAt: 1,
  saidAt: 1,
  endedAt: undefined,
  ...facts,
});
const step = (of: ObservedRun, name: string, at: number, facts: Partial<ObservedStep> = {}): ObservedStep => ({
  run: of,
  step: name,
  effects: 'writes',
  key: name,
  at,
  saidAt: at,
  effectAt: at + 1,
  ...facts,
});
const answer = (outcome: Outcome | undefined, at: number, facts: Partial<ObservedAnswer> = {}): ObservedAnswer => ({
  way: 'call',
  process: 'P1',
  tool: 'nap',
  id: 'nap-1',
  attempt: 'c1-1',
  askedAt: at - 1,
  at,
  outcome,
  ...facts,
});
const final = (facts: Partial<FinalAnswer> = {}): FinalAnswer => ({
  attempt: 'c1-1',
  tool: 'nap',
  id: 'nap-1',
  row: 'c1-1',
  found: ok,
  waited: ok,
  ...facts,
});
const finalRow = (facts: Partial<FinalRow> = {}): FinalRow => ({
  row: 'c1-1',
  tool: 'nap',
  isPromised: true,
  stage: 'ended',
  isAsking: false,
  outcome: ok,
  leftovers: [],
  ...facts,
});
const began = (row: string, facts: Partial<ObservedRow> = {}): readonly [string, ObservedRow] => [
  row,
  { tenant: 'T', row, tool: 'nap', origin: 'c1-1', isPromised: true, at: 1, ...facts },
];

/** Gives the names of the invariants that these observations break. */
function broken(seen: Partial<Observations>): string[] {
  const rows = new Map([began('c1-1'), began('other')]);
  const finalRows = [...new Set((seen.runs ?? []).map(({ row }) => row))].map((row) => finalRow({ row }));
  const found = checkInvariants({ ...createObservations(), rows, attempts: [attempt()], finalRows, ...seen });
  return found.map(({ invariant }) => invariant);
}

const [first, second] = [run(), run({ place: 1, process: 'P2', invocationId: 'other', beganAt: 50 })];
const done = [step(first, 'first', 2), step(first, 'second', 5)];

test('a call that did each step once and was told so breaks nothing', () => {
  expect(broken({ runs: [first], steps: done, answers: [answer(ok, 9), answer(ok, 20, { way: 'get' })], finals: [final()] })).toEqual([]);
});

test('an effect that comes twice', () => {
  const twice = [...done, step(second, 'first', 60)];
  const runs = [run({ endedAt: 10 }), second];
  expect(broken({ runs, steps: twice })).toEqual(['effectsOnce']);
  expect(broken({ runs, steps: twice, answers: [answer(failed('interrupted', 'unknown'), 45, { way: 'get' })] })).toEqual(['effectsOnce']);
  // A service knows the key again.
  const idempotent = (key: string) => [
    step(first, 'pack', 2, { effects: 'idempotent', key: 'k' }),
    step(second, 'pack', 60, { effects: 'idempotent', key }),
  ];
  expect(broken({ runs, steps: idempotent('k') })).toEqual([]);
  expect(broken({ runs, steps: idempotent('other') })).toEqual(['effectsOnce']);
});

test('the tool itself said that what was under way had not taken place', () => {
  const steps = [step(first, 'first', 2, { effectAt: 80 }), step(second, 'first', 60)];
  const reconciles = [{ tool: 'nap', id: 'nap-1', step: 'first', at: 55, said: 'none' as const }];
  expect(broken({ runs: [run({ endedAt: 10 }), second], steps, reconciles })).toEqual([]);
});

test('an answer that says none where there is an effect, before it or after it', () => {
  expect(broken({ runs: [first], steps: done, answers: [answer(failed('internal', 'none'), 9)] })).toEqual(['effectsTold']);
  expect(broken({ runs: [first], steps: done, answers: [answer(failed('not_ready', 'none'), 1)] })).toEqual(['effectsTold']);
});

test('an answer that says ok or applied where there is none', () => {
  expect(broken({ runs: [first], steps: [done[0] as ObservedStep], answers: [answer(ok, 9)] })).toEqual(['effectsTold']);
  expect(broken({ runs: [first], answers: [answer(failed('internal', 'applied'), 9)] })).toEqual(['effectsTold']);
});

test('none for a key under which another call took effect meanwhile', () => {
  const key = { tool: 'pay', id: 'pay-1' };
  const own = run({ ...key });
  const other = run({ ...key, place: 1, process: 'P2', attempt: 'c2-1', invocationId: 'c2-1', beganAt: 3 });
  const attempts = [attempt({ ...key, answeredAt: 20 })];
  const answers = (outcome: Outcome) => [answer(outcome, 20, key)];
  const steps = [step(other, 'run', 5)];
  expect(broken({ attempts, runs: [own, other], steps, answers: answers(failed('internal', 'none')) })).toEqual(['effectsTold']);
  expect(broken({ attempts, runs: [own, other], steps, answers: answers(failed('conflict', 'none')) })).toEqual([]);
  expect(broken({ attempts, runs: [other], steps, answers: answers(failed('internal', 'none')) })).toEqual([]);
});

test('a reader who is told something else than the caller was', () => {
  const seen = (given: Outcome, later: Outcome | undefined) => ({
    runs: [run({ endedAt: 8 })],
    steps: done,
    answers: [answer(given, 9), answer(later, 20, { way: 'get' })],
  });
  expect(broken(seen(ok, undefined))).toEqual(['sameAnswer']);
  expect(broken(seen(ok, failed('interrupted', 'unknown')))).toEqual(['sameAnswer']);
  expect(broken(seen(failed('failed', 'unknown'), ok))).toEqual([]);
  expect(broken(seen({ ...ok, meta: { ...meta, warnings: ['not_recorded: no'] } }, undefined))).toEqual([]);
});

test('a call that ran without an approval, or with one that was given for something else', () => {
  const refund = { tool: 'refund', id: 'refund-1', input: { id: 'refund-1' } };
  const attempts = [attempt({ ...refund })];
  const runs = [run({ ...refund, endedAt: 4 })];
  const steps = runs.map((one) => step(one, 'refund', one.beganAt + 1));
  const decision = {
    reason: 'asked',
    row: 'c1-1',
    tool: 'refund',
    shown: { id: 'refund-1' },
    verdict: 'approve' as const,
    askedAt: 0,
    at: 0,
    isTaken: true,
  };
  expect(broken({ attempts, runs, steps, decisions: [decision] })).toEqual([]);
  expect(broken({ attempts, runs, steps, decisions: [{ ...decision, row: 'other' }] })).toEqual(['approvalsUsedOnce']);
  expect(broken({ attempts, runs, steps, decisions: [{ ...decision, shown: { id: 'other' } }] })).toEqual(['approvalsUsedOnce']);
  expect(broken({ attempts, runs, steps, decisions: [{ ...decision, verdict: 'deny' }] })).toEqual(['approvalsUsedOnce']);
  // The call that continues another keeps its permission.
  const goesOn = [...runs, run({ ...refund, place: 1, process: 'P2', beganAt: 20 })];
  expect(broken({ attempts, runs: goesOn, steps: goesOn.map((one) => step(one, 'tell', one.beganAt + 1)), decisions: [decision] })).toEqual(
    ['effectsOnce'],
  );
});

test('a run with arguments that nobody approved, or whose plan is another', () => {
  const one = { ...run(), tool: 'refund', input: { id: 'r', size: 5 }, plan: { turn: 1 } };
  const [steps, decision] = [
    [step(one, 'refund', 2)],
    {
      row: 'c1-1',
      reason: 'asked',
      tool: 'refund',
      shown: { size: 10, id: 'r' },
      verdict: 'approve' as const,
      askedAt: 0,
      at: 0,
      isTaken: true,
    },
  ];
  const found = (rest: object) => broken({ runs: [one], steps, decisions: [{ ...decision, ...rest }] });
  expect(found({ edited: { id: 'r', size: 5 } })).toEqual([]);
  expect(found({})).toEqual(['approvalsUsedOnce']);
  expect(found({ edited: { id: 'r', size: 6 } })).toEqual(['approvalsUsedOnce']);
  expect(found({ edited: { id: 'r', size: 5 }, preview: { turn: 1 } })).toEqual([]);
  expect(found({ edited: { id: 'r', size: 5 }, preview: { turn: 0 } })).toEqual(['approvalsUsedOnce']);
});

test('a run under a grant that does not count, or that is for other calls', () => {
  const write = (what: 'given' | 'used' | 'revoked', at: number, row = 'c1-1') => ({ what, grant: 'g', row, at, clock: at });
  const given = { ...write('given', 1, 'c0-1'), reason: 'asked' };
  const attemptOf = (name: string, runId = 'run') => ({ ...attempt(), attempt: name, runId, id: 'r', tool: 'refund' });
  const decision = (grant: object = {}) => ({
    row: 'c0-1',
    reason: 'asked',
    tool: 'refund',
    shown: {},
    verdict: 'approve' as const,
    askedAt: 0,
    at: 1,
    isTaken: true,
    grant: { for: 'run' as const, maxSize: 10, expiresMs: 100, uses: 2, ...grant },
  });
  /** One whose answer was lost, and that did not count. */
  const lost = { ...decision({ expiresMs: 1, uses: 1 }), reason: 'lost', isTaken: undefined };
  const found = (grants: readonly ReturnType<typeof write>[], grant = {}, size = 10, runId = 'run', rest = {}) => {
    const one = { ...run(), tool: 'refund', id: 'r', input: { id: 'r', size }, beganAt: 50 };
    const asked = [attemptOf('c0-1'), attemptOf('c1-1', runId)];
    const decisions = [lost, { ...decision(grant), ...rest }];
    return broken({ attempts: asked, runs: [one], steps: [step(one, 'refund', 51)], decisions, grants: [...grants] });
  };
  expect(found([given, write('used', 2)])).toEqual([]);
  expect(found([write('used', 2)])).toEqual(['grantsHold']);
  expect(found([write('given', 1, 'c0-1'), write('used', 2)])).toEqual(['grantsHold']);
  expect(found([{ ...given, row: 'c2-1' }, write('used', 2)])).toEqual(['grantsHold']);
  expect(found([given, write('used', 2)], {}, 10, 'run', { grant: undefined })).toEqual(['grantsHold']);
  expect(found([given, write('used', 2)], {}, 10, 'run', { verdict: 'deny' })).toContain('grantsHold');
  expect(found([given, write('used', 2)], {}, 10, 'run', { isTaken: false })).toContain('grantsHold');
  expect(found([given, write('revoked', 2), write('used', 3)])).toEqual(['grantsHold']);
  expect(found([given, write('used', 101)].with(1, { ...write('used', 50), clock: 101 }))).toEqual(['grantsHold']);
  expect(found([given, write('used', 2, 'a'), write('used', 2, 'b'), write('used', 3)])).toEqual(['grantsHold']);
  expect(found([given, write('used', 2)], {}, 11)).toEqual(['grantsHold']);
  expect(found([given, write('used', 2)], {}, 10, 'other')).toEqual(['grantsHold']);
  expect(found([given, write('used', 2)], { for: 'user' }, 10, 'other')).toEqual([]);
  expect(found([])).toEqual(['approvalsUsedOnce']);
});

test('two processes that write under one epoch, and one that writes under an old one', () => {
  const write = (name: string, process: string, epoch: number) => ({ name, process, epoch, row: 'c1-1', isEnd: false, at: 1 });
  const begun = [write('begin', 'P1', 1), write('stepEnd', 'P1', 1)];
  expect(broken({ writes: [...begun, write('take', 'P2', 2), write('stepBegin', 'P2', 2)] })).toEqual([]);
  expect(broken({ writes: [...begun, write('stepBegin', 'P2', 1)] })).toEqual(['epochsHold']);
  expect(broken({ writes: [...begun, write('take', 'P2', 2), write('wait', 'P1', 1)] })).toEqual(['epochsHold']);
  expect(broken({ writes: [...begun, write('takeDue', 'P2', 2), write('take', 'P3', 2)] })).toEqual(['epochsHold']);
});

test('a step that begins after somebody was told that its call was cancelled', () => {
  const answers = [answer(failed('cancelled', 'applied'), 4)];
  expect(broken({ runs: [first], steps: done, answers })).toEqual(['cancelledStays']);
  const cancels = [{ row: 'c1-1', askedAt: 1, at: 2, told: true }];
  const late = [step(first, 'first', 9_000)];
  expect(broken({ runs: [first], steps: done, cancels })).toEqual([]);
  expect(broken({ runs: [first], steps: late, cancels })).toEqual(['cancelledStays']);
  expect(broken({ runs: [first], steps: late, cancels, disturbances: [{ process: 'P1', from: 1, until: 8_000 }] })).toEqual([]);
});

test('two runs of one call that act at once', () => {
  const steps = [step(first, 'first', 2), step(first, 'second', 60), step(second, 'other', 70)];
  expect(broken({ runs: [first, second], steps })).toEqual(['oneRunAtATime']);
  expect(broken({ runs: [first, second], steps, disturbances: [{ process: 'P1', from: 10, until: 40 }] })).toEqual([]);
  const inOne = [first, run({ place: 1, invocationId: 'other', beganAt: 50 })] as const;
  const acts = [step(inOne[0], 'second', 60), step(inOne[1], 'other', 70)];
  expect(broken({ runs: [...inOne], steps: acts, disturbances: [{ process: 'P1', from: 10, until: 40 }] })).toEqual(['oneRunAtATime']);
});

test('a call that is given up although its process lives', () => {
  const answers = [answer(failed('interrupted', 'unknown'), 60, { way: 'get' })];
  expect(broken({ runs: [first], answers })).toEqual(['livingKeepCalls']);
  expect(broken({ runs: [first], answers, disturbances: [{ process: 'P1', from: 10, until: 20 }] })).toEqual([]);
  expect(broken({ runs: [run({ endedAt: 30 })], answers })).toEqual([]);
  // Its own process is told so.
  const told = [answer(failed('interrupted', 'unknown'), 60)];
  expect(broken({ runs: [run({ endedAt: 59 })], answers: told })).toEqual(['livingKeepCalls']);
});

test('a call that neither ends nor asks for anything', () => {
  const open = finalRow({ stage: 'waiting', outcome: pending });
  expect(broken({ finalRows: [open] })).toEqual(['everyCallEnds']);
  expect(broken({ finalRows: [{ ...open, isAsking: true }] })).toEqual([]);
  expect(broken({ finalRows: [finalRow({ stage: 'running' })] })).toEqual(['everyCallEnds']);
  expect(broken({ finalRows: [finalRow({ stage: 'running', isPromised: false })] })).toEqual([]);
  expect(broken({ finalRows: [finalRow()], finals: [final({ waited: pending })] })).toEqual(['everyCallEnds']);
  expect(broken({ answers: [answer(pending, 4)], finals: [final({ found: undefined })] })).toEqual(['everyCallEnds']);
  expect(broken({ runs: [run()], finalRows: [] })).toEqual(['everyCallEnds']);
});

test('something that is kept and never read', () => {
  expect(broken({ finalRows: [finalRow({ leftovers: ['steps'] })] })).toEqual(['nothingIsLeft']);
});

test('a question of which nobody is told, or in the wrong order, or under several ids, or again for no reason', () => {
  const question = { tenant: 't', handle: 'c1-1', at: 5, isClosed: true };
  const notice = (id: string, at: number, facts: Partial<ObservedNotice> = {}): ObservedNotice => ({
    id,
    handle: 'c1-1',
    isClosing: id.startsWith('closed'),
    process: 'P1',
    at,
    isTaken: true,
    ...facts,
  });
  const told = [notice('asked', 6), notice('closed', 20)];
  const brokenBy = (...notices: ObservedNotice[]) => broken({ questions: [question], notices });
  expect(brokenBy(...told)).toEqual([]);
  expect(brokenBy()).toEqual(['noticesArrive', 'noticesArrive']);
  expect(brokenBy(notice('asked', 6))).toEqual(['noticesArrive']);
  expect(broken({ questions: [{ ...question, isClosed: false }], notices: [notice('asked', 6)] })).toEqual([]);
  expect(broken({ questions: [{ ...question, isClosed: false }], notices: told })).toEqual(['noticesArrive']);
  expect(brokenBy(notice('closed', 6), notice('asked', 20))).toEqual(['noticesArrive']);
  expect(brokenBy(...told, notice('closed', 30, { process: 'P2' }))).toEqual(['noticesArrive']);
  expect(brokenBy(told[0] as ObservedNotice, notice('closed', 20, { isTaken: false }), notice('closed', 30))).toEqual([]);
  expect(brokenBy(...told, notice('closed 2', 30))).toEqual(['noticesArrive', 'noticesArrive']);
  const again = { questions: [question], notices: [...told, notice('closed', 30, { process: 'P2' })] };
  expect(broken({ ...again, disturbances: [{ process: 'P1', from: 21, until: 25 }] })).toEqual([]);
  expect(brokenBy(...told, notice('asked', 40, { handle: 'c2-1' }))).toEqual(['noticesArrive']);
});

test('something that nobody takes', () => {
  expect(broken({ strays: ['Error: x'] })).toEqual(['nothingStrays']);
});

test('violations that differ in names and times alone are one group', () => {
  const violation = (message: string) => ({ invariant: 'effectsOnce', message, at: 1 });
  const groups = groupViolations([
    { seed: 1, violations: [violation('charge of c1-1 (nap nap-4) at 12.5 for P1.2')] },
    { seed: 9, violations: [violation('charge of c12-3 (nap nap-9) at 7 for P4'), violation('other')] },
  ]);
  expect(groups.map(({ seeds }) => seeds)).toEqual([[1, 9], [9]]);
});
