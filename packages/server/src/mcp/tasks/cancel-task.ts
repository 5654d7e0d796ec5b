import { fail } from 'toolpact';
import { sleep } from 'toolpact/internal';
import type { McpCaller } from '../caller.ts';
import { type FoundTask, hasEnded } from './find-task.ts';
import type { WaitingCalls } from './waiting-calls.ts';

/** So long is waited for what the call makes of it. */
const longestMs = 2_000;

/** Stops the call of a task, whatever it does: it runs, or waits for an approval, an input, or something elsewhere. */
export async function cancelTask(found: FoundTask, caller: McpCaller, waiting: WaitingCalls): Promise<void> {
  if (hasEnded(found)) return;
  const { taskId, state } = found;
  const { handle, reason } = state.pending;
  const { cancel, withdraw, settle } = caller.pendingCalls ?? {};
  waiting.stop(taskId);
  if (reason === 'approval') return void (await withdraw?.(handle));
  if (await cancel?.(state.invocationId)) return;
  // A call that asks its user something gets this as the answer, and says itself what it has done so far.
  const answer = reason === 'input' || reason === 'host' ? settle?.(handle, fail('cancelled', `${state.tool} was cancelled.`)) : undefined;
  await Promise.race([answer, sleep(longestMs)]);
}
