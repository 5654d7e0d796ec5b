import type { McpCaller } from '../caller.ts';
import { type FoundTask, hasEnded } from './find-task.ts';
import type { WaitingCalls } from './waiting-calls.ts';

/** Stops the call of a task, whatever it does: it runs, or waits for an approval, an input, or something elsewhere. Gives whether it had not ended. */
export async function cancelTask(found: FoundTask, caller: McpCaller, waiting: WaitingCalls): Promise<boolean> {
  if (hasEnded(found)) return false;
  waiting.stop(found.taskId);
  const { by } = caller;
  return (await caller.remembered?.calls.cancel(found.call.id, by === undefined ? {} : { by })) === true;
}
