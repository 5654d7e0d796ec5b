import { askStore, tryLater } from '../calls/index.ts';
import { classify } from '../classify/index.ts';
import { createProblemLog } from '../events/index.ts';
import { ToolpactError } from '../outcome/index.ts';
import type { Notifier, Outbox, OutboxOptions, SettledNotice, TakenNotice, Wait } from '../ports/index.ts';
import { nextTurn, type StopTimer, systemClock, withTimeLimit } from '../time/index.ts';
import { toNotice } from './to-notice.ts';

/** How long a try may take. */
const tryMs = 15_000;
/** For so long nobody else sends what one has taken: longer than a try, and than it takes to write down what became of it. */
const leaseMs = 60_000;
/** How many are sent at once to one recipient. */
const atOnce = 8;
/** How often what is left is looked at: others may answer a question, or die with a notice. */
const lookEveryMs = 2_000;
/** After how long each try is followed by the next, about 18 hours in all; then it is given up. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000] as const;
const longestPauseMs = 36_000_000;

/**
 * Creates an outbox. Any number of processes may have one on the same store: each notice is taken by one at a time, and another sends it where
 * that one dies.
 */
export function createOutbox({ ledger, notifiers, redact, emit }: OutboxOptions): Outbox {
  const names = notifiers.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new ToolpactError('duplicate_name', `two notifiers are named "${twice}"; give one of them another \`name\``, { notifier: twice });
  const tell = (where: string, error: unknown): void => emit({ type: 'problem', where, message: classify(error).message });
  const problems = createProblemLog(({ where, error }) => {
    tell(where, error);
    return false;
  });
  const sending = new Map<Notifier, Promise<boolean>>();
  /** Tries under way, with the look at the store before them. */
  const rounds = new Set<Promise<unknown>>();
  let stopTimer: StopTimer | undefined;
  let hasLooked = false;

  /** Sends all that is due to one; gives whether anything is left. */
  async function drain(notifier: Notifier): Promise<boolean> {
    for (;;) {
      const round = sendSome(notifier);
      rounds.add(round);
      const left = await round.finally(() => rounds.delete(round));
      if (left !== 'more') return left === 'some';
    }
  }

  /** Sends some of what is due; `more` may be, `some` is due later. */
  async function sendSome(notifier: Notifier): Promise<'more' | 'some' | 'none'> {
    const taken = await askStore(() => ledger.takeNotices({ to: notifier.name, limit: atOnce, leaseMs }));
    if (!taken.ok) {
      // Not on the console: a program may have closed its store, and whoever cannot reach it hears of that by its calls.
      tell('the outbox', taken.cause ?? new Error(taken.why));
      return 'some';
    }
    const { notices, areLeft } = taken.value;
    await Promise.all(notices.map((notice) => send(notifier, notice)));
    if (notices.length > 0) return 'more';
    return areLeft ? 'some' : 'none';
  }

  async function send(notifier: Notifier, taken: TakenNotice): Promise<void> {
    const settled = await trySend(notifier, taken);
    const write = async (): Promise<boolean> => (await askStore(() => ledger.settleNotice(taken, settled))).ok;
    // Where that cannot be written down, it is sent once more when its time is over: under the same id.
    if (!(await write())) await tryLater(write, lookEveryMs);
  }

  async function trySend(notifier: Notifier, taken: TakenNotice): Promise<SettledNotice> {
    const stop = new AbortController();
    try {
      const sent = (async () => notifier.send(toNotice(taken, redact), stop.signal))();
      await withTimeLimit(sent, {
        ms: tryMs,
        onLate() {
          throw new Error(`it took longer than ${tryMs / 1000} seconds`);
        },
      });
      return {};
    } catch (error) {
      const failed = afterFailure(error, taken.attempt);
      const end = failed.againMs === undefined ? '. It is given up' : '';
      const message = `${taken.question.tool}, ${taken.event}: ${failed.trouble}${end}`;
      problems.add({ where: `the notifier "${notifier.name}"`, error: new Error(message, { cause: error }) });
      return failed;
    } finally {
      stop.abort();
    }
  }

  function look(): Promise<boolean> {
    const all = notifiers.map((notifier) => {
      const running = sending.get(notifier) ?? drain(notifier).finally(() => sending.delete(notifier));
      sending.set(notifier, running);
      return running;
    });
    return Promise.all(all).then((left) => left.some(Boolean));
  }

  /** Looks now, and then as long as anything is left. */
  function poke(): void {
    hasLooked = true;
    keepLooking();
    // A look that runs already may have begun before this was written.
    void Promise.all(sending.values()).then(lookOnce, lookOnce);
  }

  function keepLooking(): void {
    stopTimer ??= systemClock.every(lookEveryMs, lookOnce, { background: true });
  }

  function lookOnce(): void {
    const stopIfDone = (isLeft: boolean): void => {
      if (isLeft || sending.size > 0) return;
      stopTimer?.();
      stopTimer = undefined;
    };
    look().then(stopIfDone, () => undefined);
  }

  const noted = (wait: Wait): Wait => ({ ...wait, notify: names });
  const poking = async <TValue>(run: () => Promise<TValue>): Promise<TValue> => {
    try {
      return await run();
    } finally {
      // It may have been written although nobody was told so.
      poke();
    }
  };

  return {
    watch: (inner) => ({
      ...inner,
      begin(call) {
        // The next active process sends the notices of a dead one.
        if (!hasLooked) poke();
        const { wait } = call;
        return wait === undefined || wait.questions.length === 0
          ? inner.begin(call)
          : poking(() => inner.begin({ ...call, wait: noted(wait) }));
      },
      wait: (run, wait) => (wait.questions.length === 0 ? inner.wait(run, wait) : poking(() => inner.wait(run, noted(wait)))),
      answer: (at, answer) => poking(() => inner.answer(at, answer)),
    }),
    async look() {
      hasLooked = true;
      if (await look()) keepLooking();
    },
    async idle() {
      // New questions are looked for in a moment. A receiver that is gone must not keep a program from ending for each notice anew.
      await nextTurn();
      await Promise.all(rounds);
    },
  };
}

/** Says what becomes of a notice that could not be sent. */
function afterFailure(error: unknown, attempt: number): SettledNotice {
  const trouble = error instanceof Error ? error.message : String(error);
  // Only what an author says with `fail` is believed: a receiver that answers 404 may be on its way back.
  const stated = error instanceof Error && error.name === 'ToolFailure' ? classify(error) : undefined;
  const pause = pausesMs[attempt - 1];
  if (pause === undefined || stated?.retryable === false) return { trouble };
  const asked = stated?.retryAfterMs ?? 0;
  // Not all at the same moment, where many could not be sent.
  return { trouble, againMs: Math.min(longestPauseMs, Math.max(asked, pause * (0.9 + Math.random() * 0.2))) };
}
