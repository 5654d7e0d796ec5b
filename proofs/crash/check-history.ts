import { isDeepStrictEqual } from 'node:util';
import { checkEnd, checkNothingDone, readLedger } from './check-ledger.ts';
import { type Ending, keyed, type ResumedEnding, type Told } from './lifetime.ts';
import type { History } from './run-lane.ts';

type Answer = Extract<Told, { type: 'answer' }>;

/**
 * Checks what was promised against all that happened on a lane; gives one sentence for each promise that was broken. A process tells when its
 * store is late. From then on it may refuse a call that does not run then (`not_ready`), run one that may be repeated without the protection of
 * its key, and leave an end unrecorded or a lost call to the next process, if a warning in the outcome says so. Without such news all that is
 * broken. Nothing excuses what was done twice, a receipt that is not in the ledger, or an effect that is not true.
 */
export function checkHistory({ lives, ledger: lines }: History): string[] {
  const broken: string[] = [];
  const ledger = readLedger(lines, broken);
  const claimed = new Set<string>();
  const settled = new Set<string>();
  /** Processes, by their runs, whose store was late. */
  const late = new Set<string>();
  /** Calls that may have been run, recorded or stored in another way than others, as a warning said. */
  const unsure = new Set<string>();
  /** The data of calls that are known to have gone well, whoever was told. */
  const known = new Map<string, Ending['data']>();
  /** Answers to calls with a key that were run for their callers, and the store's view of such calls. */
  const answers = new Map<string, Ending>();
  const recorded = new Map<string, Ending[]>();
  /** Reports of resumed runs, by run. */
  const resumed = new Map<string, readonly ResumedEnding[]>();

  function checkEnding(tool: string, ending: Ending & { readonly id: string }, who: string, isLate: boolean): void {
    const { id, status, kind, effect, data } = ending;
    const isInterrupted = kind === 'interrupted';
    if (ending.warned && !isLate) broken.push(`${who} ${id} has a warning, although its store was never late`);
    // Who has seen the claim of another call does not know what that one does.
    if (isLate && kind === 'not_ready' && (effect === 'none' || (effect === 'unknown' && claimed.has(id)))) return;
    if (status !== 'ok' && !isInterrupted) broken.push(`${who} ${id} ended as ${kind ?? status} with the effect ${effect}`);
    if (isInterrupted && effect !== 'unknown') broken.push(`${who} ${id} was interrupted with the effect ${effect}`);
    if (isInterrupted && !isLeft(ending, isLate)) checkInterrupted(tool, id, who);
    if (status !== 'ok') return;
    if (!ledger.has(tool, id, data)) broken.push(`${who} ${id} gave a receipt that is not in the ledger`);
    if (tool === 'look_up' || ending.warned || unsure.has(id)) return void unsure.add(id);
    if (known.has(id) && !isDeepStrictEqual(known.get(id), data)) broken.push(`${who} ${id} gave another outcome than before`);
    known.set(id, data);
  }

  function checkInterrupted(tool: string, id: string, who: string): void {
    if (tool !== 'pay' && tool !== 'post') broken.push(`${who} ${id} was interrupted, although its effect can be found out`);
    if (tool === 'pay' && !claimed.has(id)) broken.push(`${who} ${id} was interrupted, although nobody had begun it`);
    if (settled.has(id)) broken.push(`${who} ${id} was interrupted, although its outcome was stored`);
    if (tool === 'pay' && known.has(id)) broken.push(`${who} ${id} was interrupted, although its outcome had been told`);
  }

  function checkAnswer(runId: string, { type: _, tool, ...ending }: Answer): void {
    const isRepeated = known.has(ending.id);
    checkEnding(tool, ending, 'the call', late.has(runId));
    if (isRepeated && keyed.has(tool) && ending.status === 'ok' && ending.replayed !== true && !ending.warned) {
      broken.push(`the call ${ending.id} was not marked as replayed`);
    }
    const { id, ...told } = ending;
    // All other calls are only listed, and nobody waits for that.
    // Nobody resumes the last process: what it was the first to run is read by no other.
    if (keyed.has(tool) && !told.replayed && !told.warned && runId !== lives.at(-1)?.plan.runId) answers.set(id, told);
  }

  function checkResumed(runId: string, calls: readonly ResumedEnding[], by: string): void {
    const before = new Map(resumed.get(runId)?.map((call) => [call.id, call]));
    // A recorded outcome comes from the process itself, or from one that resumed its run before.
    const wasLate = lives.some(({ plan }) => late.has(plan.runId) && (plan.runId === runId || plan.resumes.includes(runId)));
    for (const { tool, how, ...ending } of calls) {
      const isLate = late.has(by) || (how === 'recorded' && wasLate);
      checkEnding(tool, ending, 'the resumed call', isLate);
      if (tool === 'post' && how !== 'recorded' && how !== 'interrupted') broken.push(`the call ${ending.id} was ${how}`);
      // A keyed call without `reconcile` is not run again once it was claimed.
      const mayStay = tool === 'post' || (tool === 'pay' && ending.kind === 'interrupted') || isLeft(ending, isLate);
      if (how === 'interrupted' && !mayStay) broken.push(`the resumed call ${ending.id} was left as interrupted`);
      if (how === 'repeated' && ending.kind === 'interrupted')
        broken.push(`the call ${ending.id} was not repeated, and resuming says it was`);
      const { id, ...found } = ending;
      const { id: _, tool: _tool, how: earlierHow, ...earlier } = before.get(id) ?? { ...ending, tool, how };
      const wasRecorded = before.has(id) && (earlierHow === 'recorded' || !earlier.warned);
      if (wasRecorded && !(how === 'recorded' && isDeepStrictEqual(found, earlier))) {
        broken.push(`the resumed call ${id} was told differently before`);
      }
    }
    for (const { tool: _, how, id, ...found } of calls) if (how === 'recorded') recorded.set(id, [...(recorded.get(id) ?? []), found]);
    resumed.set(runId, calls);
  }

  for (const { plan, told } of lives) {
    for (const news of told) {
      if (news.type === 'late') late.add(plan.runId);
      if (news.type === 'claiming') claimed.add(news.id);
      if (news.type === 'settled') settled.add(news.id);
      if (news.type === 'answer') checkAnswer(plan.runId, news);
      if (news.type === 'resumed') checkResumed(news.runId, news.calls, plan.runId);
    }
  }
  // The last process resumes all runs.
  const wasAllResumed = lives.at(-1)?.told.some(({ type }) => type === 'resumed') === true;
  for (const [id, told] of wasAllResumed ? answers : [])
    if (!recorded.get(id)?.some((found) => isDeepStrictEqual(found, told))) broken.push(`the store has not the end of ${id} that was told`);
  return [...broken, ...checkNothingDone(lives, lines), ...lives.flatMap(checkEnd)];
}

/** Whether a lost call is left to the next process that resumes its run, because the store of this one is late. */
function isLeft({ kind, warned }: Ending, isLate: boolean): boolean {
  return kind === 'interrupted' && isLate && warned === true;
}
