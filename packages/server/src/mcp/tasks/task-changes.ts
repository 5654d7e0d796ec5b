import { ProtocolError } from '@modelcontextprotocol/server';
import type { McpCaller } from '../caller.ts';
import { type FoundTask, findTask, hasEnded } from './find-task.ts';
import { questionsOf } from './task-questions.ts';
import { taskStatus } from './task-shape.ts';

/** Gives a task now, and again when its status or its questions change, until it has ended. Throws an error of the protocol where there is none. */
export async function* taskChanges(taskId: string, caller: McpCaller, signal: AbortSignal): AsyncGenerator<FoundTask, void, undefined> {
  let given = '';
  let found = await findTask(taskId, caller);
  while (!signal.aborted) {
    const { handle } = found.state.pending;
    for await (const _ of watch(handle, caller, signal)) {
      found = await findTask(taskId, caller);
      const print = await printOf(found, caller);
      if (print !== given) yield found;
      given = print;
      if (hasEnded(found)) return;
      if (found.state.pending.handle !== handle) break;
    }
    if (hasEnded(found) || found.state.pending.handle === handle) return;
  }
}

async function* watch(handle: string, { pendingCalls }: McpCaller, signal: AbortSignal): AsyncGenerator<unknown, void, undefined> {
  const changes = pendingCalls?.watchPending?.(handle, { signal });
  if (changes === undefined) throw new ProtocolError(-32603, 'Tasks cannot be watched here.');
  yield* changes;
}

/** Gives what is reported to a client. An approval that was given elsewhere lets a task go on. */
async function printOf({ state, outcome }: FoundTask, { findApproval }: McpCaller): Promise<string> {
  const approval = state.pending.reason === 'approval' ? await findApproval?.(state.pending.handle) : undefined;
  return JSON.stringify([taskStatus(outcome, state.pending), approval?.state, questionsOf(state).map(({ handle }) => handle)]);
}
