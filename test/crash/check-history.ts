import { isDeepStrictEqual } from 'node:util';
import { type Ending, keyed, once, type ResumedEnding, type Told } from './lifetime.ts';
import type { History, Life } from './run-lane.ts';

type Answer = Extract<Told, { type: 'answer' }>;

/**
 * Checks what was promised against all that happened on a lane; gives one sentence for each promise that was broken. Where the machine is so busy that
 * the store misses its time, a call may also be refused before it does anything, and an outcome may say in a warning that it was not recorded.
 */
export function checkHistory({ lives, ledger }: History, { isBusy = false }: { readonly isBusy?: boolean } = {}): string[] {
  const broken: string[] = [];
  const receipts = receiptsIn(ledger, broken);
  const claimed = new Set<string>();
  const settled = new Set<string>();
  /** Calls whose store missed its time, as a warning in an outcome said. */
  const unsure = new Set<string>();
  /** The data of calls that are known to have gone well, whoever was told. */
  const known = new Map<string, Ending['data']>();
  /** What callers were told, and what resuming told, by run and call. */
  const answers = new Map<string, Map<string, Ending>>();
  const resumed = new Map<string, readonly ResumedEnding[]>();

  function checkEnding(tool: string, ending: Ending & { readonly id: string }, who: string): void {
    const { id, status, kind, effect, data } = ending;
    const isInterrupted = kind === 'interrupted';
    if (isBusy && kind === 'not_ready' && effect === 'none') return;
    if (status !== 'ok' && !isInterrupted) broken.push(`${who} ${id} ended as ${kind ?? status}`);
    if (isInterrupted && tool !== 'pay' && tool !== 'post')
      broken.push(`${who} ${id} was interrupted, although its effect can be found out`);
    if (isInterrupted && effect !== 'unknown') broken.push(`${who} ${id} was interrupted with the effect ${effect}`);
    if (isInterrupted && tool === 'pay' && !claimed.has(id)) broken.push(`${who} ${id} was interrupted, although nobody had begun it`);
    if (isInterrupted && settled.has(id)) broken.push(`${who} ${id} was interrupted, although its outcome was stored`);
    if (isInterrupted && known.has(id)) broken.push(`${who} ${id} was interrupted, although its outcome had been told`);
    if (status !== 'ok') return;
    const { receipt } = (data ?? {}) as { readonly receipt?: string };
    if (once.has(tool) && receipts.get(id) !== receipt) broken.push(`${who} ${id} gave a receipt that is not in the ledger`);
    if (tool === 'look_up' || (isBusy && (ending.warned || unsure.has(id)))) return void unsure.add(id);
    if (known.has(id) && !isDeepStrictEqual(known.get(id), data)) broken.push(`${who} ${id} gave another outcome than before`);
    known.set(id, data);
  }

  function checkAnswer(runId: string, { type: _, tool, ...ending }: Answer): void {
    const isRepeated = known.has(ending.id) && !(isBusy && ending.warned);
    checkEnding(tool, ending, 'the call');
    if (isRepeated && keyed.has(tool) && ending.status === 'ok' && ending.replayed !== true) {
      broken.push(`the call ${ending.id} was not marked as replayed`);
    }
    const { id, ...told } = ending;
    answers.set(runId, (answers.get(runId) ?? new Map()).set(id, told));
  }

  function checkResumed(runId: string, calls: readonly ResumedEnding[]): void {
    const before = new Map(resumed.get(runId)?.map((call) => [call.id, call]));
    for (const { tool, how, ...ending } of calls) {
      checkEnding(tool, ending, 'the resumed call');
      if (tool === 'post' && how !== 'recorded' && how !== 'interrupted') broken.push(`the call ${ending.id} was ${how}`);
      // A keyed call without `reconcile` is not run again once it was claimed.
      const mayStay = tool === 'post' || (tool === 'pay' && ending.kind === 'interrupted');
      if (how === 'interrupted' && !mayStay) broken.push(`the resumed call ${ending.id} was left as interrupted`);
      if (how === 'repeated' && ending.kind === 'interrupted')
        broken.push(`the call ${ending.id} was not repeated, and resuming says it was`);
      const { id, ...found } = ending;
      const { id: _, tool: _tool, how: _how, ...earlier } = before.get(id) ?? { id, tool, how };
      if (before.has(id) && !(how === 'recorded' && isDeepStrictEqual(found, earlier))) {
        broken.push(`the resumed call ${id} was told differently before`);
      }
    }
    const recorded = new Map(calls.filter(({ how }) => how === 'recorded').map(({ tool: _, how: _how, id, ...found }) => [id, found]));
    for (const [id, told] of answers.get(runId) ?? []) {
      const isUnsure = isBusy && (told.warned || told.kind === 'not_ready' || recorded.get(id)?.warned);
      if (!isUnsure && !isDeepStrictEqual(recorded.get(id), told))
        broken.push(`the journal of ${runId} has not the end of ${id} that was told`);
    }
    resumed.set(runId, calls);
  }

  for (const { plan, told } of lives) {
    for (const news of told) {
      if (news.type === 'claiming') claimed.add(news.id);
      if (news.type === 'settled') settled.add(news.id);
      if (news.type === 'answer') checkAnswer(plan.runId, news);
      if (news.type === 'resumed') checkResumed(news.runId, news.calls);
    }
  }
  return [...broken, ...lives.flatMap(checkEnd)];
}

/** Whoever was not killed has answered all its calls. */
function checkEnd({ plan, told, end }: Life): string[] {
  if (end !== 'by itself') return [];
  const answered = new Set(told.flatMap((news) => (news.type === 'answer' ? [news.id] : [])));
  const missing = plan.calls.filter(({ id }) => !answered.has(id)).map(({ id }) => `the call ${id} never ended`);
  return told.some(({ type }) => type === 'ends') ? missing : [...missing, `the process of ${plan.runId} broke`];
}

/** Reads what the tools really did; who must act once has one line at most. */
function receiptsIn(ledger: readonly string[], broken: string[]): ReadonlyMap<string, string> {
  const receipts = new Map<string, string>();
  for (const line of ledger) {
    const [tool = '', id = '', receipt = ''] = line.split(' ');
    if (!once.has(tool)) continue;
    if (receipts.has(id)) broken.push(`the call ${id} was executed twice`);
    receipts.set(id, receipt);
  }
  return receipts;
}
