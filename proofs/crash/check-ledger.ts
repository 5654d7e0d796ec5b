import type { JsonValue } from 'toolpact';
import { once, type Told } from './lifetime.ts';
import type { Life } from './run-lane.ts';

/** The true effects of the tools. */
export interface Ledger {
  /** Checks whether the data of an outcome are those of something that was done. */
  readonly has: (tool: string, id: string, data: JsonValue | undefined) => boolean;
}

/** Reads what the tools really did; who must act once has one line at most. */
export function readLedger(lines: readonly string[], broken: string[]): Ledger {
  const receipts = new Map<string, Set<string>>();
  for (const line of lines) {
    const [tool = '', id = '', receipt = ''] = line.split(' ');
    const own = receipts.get(id) ?? new Set();
    if (once.has(tool) && own.size > 0) broken.push(`the call ${id} was executed twice`);
    receipts.set(id, own.add(receipt));
  }
  return {
    has(tool, id, data) {
      const { receipt } = (data ?? {}) as { readonly receipt?: string };
      return tool === 'look_up' || (receipt !== undefined && receipts.get(id)?.has(receipt) === true);
    },
  };
}

/** Whoever said that a call did nothing has not done it. A process that also resumed the call may have done it then. */
export function checkNothingDone(lives: readonly Life[], lines: readonly string[]): string[] {
  const done = new Set(lines.map((line) => line.split(' ').toSpliced(2, 1).join(' ')));
  const callsOf = new Map(lives.map(({ plan }) => [plan.runId, new Set(plan.calls.map(({ id }) => id))]));
  return lives.flatMap(({ plan, told }) => {
    const isResumed = (id: string): boolean => plan.resumes.some((runId) => callsOf.get(runId)?.has(id));
    const lies = (news: Told): boolean =>
      news.type === 'answer' && news.effect === 'none' && done.has(`${news.tool} ${news.id} ${plan.runId}`) && !isResumed(news.id);
    return told.flatMap((news) => (lies(news) && 'id' in news ? [`the call ${news.id} was done by the process that said it was not`] : []));
  });
}

/** Whoever was not killed has answered all its calls. */
export function checkEnd({ plan, told, end }: Life): string[] {
  if (end !== 'by itself') return [];
  const answered = new Set(told.flatMap((news) => (news.type === 'answer' ? [news.id] : [])));
  const missing = plan.calls.filter(({ id }) => !answered.has(id)).map(({ id }) => `the call ${id} never ended`);
  return told.some(({ type }) => type === 'ends') ? missing : [...missing, `the process of ${plan.runId} broke`];
}
