import type { NoticePlace, SettledNotice } from 'toolpact/extend';
import { defineLedgerCheck, differs, endWith, hour, type LedgerTrial, minute, question, waitFor } from './ledger-check.ts';

/** Takes and settles the notices of one recipient of a trial. */
function mailOf({ calls, tenant }: LedgerTrial, name = 'hook') {
  const to = `${name} of ${tenant}`;
  return {
    to,
    take: (leaseMs = hour, limit = 9) => calls.takeNotices({ to, limit, leaseMs }),
    settle: (handle: string, event: NoticePlace['event'], attempt: number, settled: SettledNotice = {}) =>
      calls.settleNotice({ tenant, handle, to, event, attempt }, settled),
  };
}

/** Promises about notices of questions. */
export const ledgerNoticeChecks = [
  defineLedgerCheck({
    id: 'store/ledger-notifies',
    requirement: 'A question is noted for each who is to be told, in one write with it; how it was closed is told after that.',
    async *run(trial) {
      const { calls, tenant, beginWaiting, draft, alive } = trial;
      await alive('p');
      const [hook, other] = [mailOf(trial), mailOf(trial, 'other')];
      await beginWaiting('a', { notify: [hook.to, other.to, hook.to] });
      await beginWaiting('b');
      yield* differs('what was asked is not told', await hook.take(), {
        notices: [
          { tenant, handle: 'q a', to: hook.to, event: 'asked', attempt: 1, question: { state: 'open', call: 'a', handle: 'q a' } },
        ],
        areLeft: false,
      });
      yield* differs('one recipient is told for another', (await other.take()).notices.length, 1);
      yield* differs('a question is told although nobody is to be', (await hook.take()).notices.length, 0);
      await calls.answer({ tenant, handle: 'q a' }, { state: 'approved', answer: { by: 'ann' }, wakes: false });
      yield* differs('how a question was closed is told before it is settled that it was asked', (await hook.take()).notices, []);
      yield* differs('a notice cannot be settled', await hook.settle('q a', 'asked', 1), true);
      yield* differs('how a question was closed is not told', (await hook.take()).notices, [
        { handle: 'q a', event: 'closed', attempt: 1, question: { state: 'approved', answer: { by: 'ann' } } },
      ]);
      await hook.settle('q a', 'closed', 1);
      yield* differs('something is left where all was told', await hook.take(), { notices: [], areLeft: false });
      const run = await trial.begin('c');
      await calls.wait(run, waitFor(undefined, { questions: [question('1'), question('2')], notify: [hook.to] }));
      yield* differs('questions in the middle of a call are not told', (await hook.take()).notices.length, 2);
      for (const handle of ['1', '2']) await hook.settle(handle, 'asked', 1);
      yield* differs('an open question is told as closed', await hook.take(), { notices: [], areLeft: true });
      await calls.end({ tenant, id: 'c', epoch: 1 }, endWith('c'));
      yield* differs(
        'questions that were withdrawn are not told',
        (await hook.take()).notices.map(({ question: { state } }) => state),
        ['withdrawn', 'withdrawn'],
      );
      yield* differs('a call that may not begin is told', await calls.begin(draft('a', { wait: waitFor('x', { notify: [hook.to] }) })), {
        is: 'refused',
      });
      yield* differs('a question that was never asked is told', (await hook.take()).notices, []);
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-gives-notices-to-one',
    requirement: 'A notice is given to one taker until its time is over; a taker whose time is over settles nothing.',
    async *run(trial) {
      const { beginWaiting, alive, wait } = trial;
      await alive('p');
      const { to, take, settle } = mailOf(trial);
      for (const id of ['a', 'b', 'c', 'd', 'e']) await beginWaiting(id, { notify: [to] });
      const taken = (await Promise.all(Array.from({ length: 10 }, () => take(hour, 1)))).flatMap(({ notices }) => notices);
      yield* differs('not each notice is given to one of ten who ask at once', taken.map(({ handle }) => handle).toSorted(), [
        'q a',
        'q b',
        'q c',
        'q d',
        'q e',
      ]);
      yield* differs('a notice that is taken is given again', await take(), { notices: [], areLeft: true });
      yield* differs('one that failed is not left', await settle('q b', 'asked', 1, { againMs: hour, trouble: 'refused' }), true);
      yield* differs('one that failed is given before its time', (await take()).notices, []);
      await settle('q a', 'asked', 1, { againMs: 20, trouble: 'refused' });
      await wait(30);
      yield* differs('one that failed is not given again', (await take(20)).notices, [{ handle: 'q a', event: 'asked', attempt: 2 }]);
      await wait(30);
      yield* differs('one whose taker is gone is not given again', (await take()).notices, [{ handle: 'q a', event: 'asked', attempt: 3 }]);
      yield* differs('a taker whose time is over settles a notice', await settle('q a', 'asked', 2), false);
      yield* differs('the taker that has a notice cannot settle it', await settle('q a', 'asked', 3), true);
      yield* differs('a notice is settled twice', await settle('q a', 'asked', 3), false);
      yield* differs('a notice is settled that is not there', await settle('q x', 'asked', 1), false);
    },
  }),
  defineLedgerCheck({
    id: 'store/ledger-forgets-notices',
    requirement: 'A question whose time is over is told as one that nobody answered; notices go with the call of their question.',
    async *run(trial) {
      const { calls, tenant, beginWaiting, alive, wait } = trial;
      await alive('p');
      const { to, take, settle } = mailOf(trial);
      const asks = { questions: [question('q a', { expiresMs: 300 })], notify: [to] };
      await beginWaiting('a', asks, { keepMs: minute });
      yield* differs('what was asked is not told', (await take()).notices.length, 1);
      await settle('q a', 'asked', 1);
      await wait(310);
      yield* differs('a question whose time is over is not told as such', (await take()).notices, [
        { handle: 'q a', event: 'closed', question: { state: 'open' } },
      ]);
      await settle('q a', 'closed', 1, { againMs: 0 });
      await beginWaiting('b', { notify: [to] }, { keepMs: 0 });
      await calls.end({ tenant, id: 'b', epoch: 1 }, endWith('b'));
      await wait(10);
      yield* differs(
        'what belongs to a forgotten call is told',
        (await take()).notices.map(({ handle }) => handle),
        ['q a'],
      );
    },
  }),
] as const;
