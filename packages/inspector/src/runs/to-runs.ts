import type { ListedCall } from '../api/api-shapes.ts';

/** The calls of one run of an agent, summed up. */
export interface Run {
  readonly runId: string;
  readonly begunAt: string;
  readonly lastAt: string;
  /** From the beginning of the first call to the end of the last, as far as it has ended. */
  readonly tookMs: number;
  readonly calls: number;
  readonly failed: number;
  readonly waiting: number;
  readonly running: number;
  /** The tools in the order of their first call. */
  readonly tools: readonly string[];
  readonly who: string;
}

/** Groups calls by their run; the run with the newest call comes first. */
export function toRuns(calls: readonly ListedCall[]): readonly Run[] {
  const groups = Map.groupBy(
    calls.filter(({ runId }) => runId !== undefined),
    ({ runId }) => runId ?? '',
  );
  return [...groups]
    .map(([runId, own]) => {
      const inOrder = own.toSorted((a, b) => (a.begunAt < b.begunAt ? -1 : 1));
      const count = (status: ListedCall['status']): number => own.filter((call) => call.status === status).length;
      return {
        runId,
        begunAt: inOrder[0]?.begunAt ?? '',
        lastAt: inOrder.at(-1)?.begunAt ?? '',
        tookMs: Math.max(...own.map(({ begunAt, endedAt }) => Date.parse(endedAt ?? begunAt))) - Date.parse(inOrder[0]?.begunAt ?? ''),
        calls: own.length,
        failed: count('error'),
        waiting: count('pending'),
        running: count('running'),
        tools: [...new Set(inOrder.map(({ tool }) => tool))],
        who: inOrder.find(({ agentName, userId }) => agentName ?? userId)?.agentName ?? inOrder.find(({ userId }) => userId)?.userId ?? '',
      };
    })
    .sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1));
}

/** Says in a sentence how a run went. */
export function summarizeRun({ calls, failed, waiting, running }: Pick<Run, 'calls' | 'failed' | 'waiting' | 'running'>): string {
  const parts = [failed > 0 && `${failed} failed`, waiting > 0 && `${waiting} waiting`, running > 0 && `${running} running`].filter(
    Boolean,
  );
  const all = calls === 1 ? '1 call' : `${calls} calls`;
  return parts.length === 0 ? `${all}, all succeeded` : `${all}, ${parts.join(', ')}`;
}
