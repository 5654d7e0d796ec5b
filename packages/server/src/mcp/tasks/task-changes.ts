import { ProtocolError } from '@modelcontextprotocol/server';
import type { McpCaller } from '../caller.ts';
import { type FoundTask, findTask, hasEnded, toFound } from './find-task.ts';
import { questionsOf } from './task-questions.ts';
import { taskStatus } from './task-shape.ts';

/** Returns a task now, and again when its status or its questions change, until it has ended. Throws an error of the protocol where there is none. */
export async function* taskChanges(taskId: string, caller: McpCaller, signal: AbortSignal): AsyncGenerator<FoundTask, void, undefined> {
  const first = await findTask(taskId, caller);
  const changes = caller.remembered?.calls.watch(first.call.id, { signal });
  if (changes === undefined) throw new ProtocolError(-32603, 'Tasks cannot be watched here.');
  let lastPrint = '';
  for await (const call of changes) {
    const task = await toFound(taskId, call, caller);
    const print = printOf(task);
    if (print !== lastPrint) yield task;
    lastPrint = print;
    if (hasEnded(task)) return;
  }
}

/** Gives what is reported to a client. An approval that was given elsewhere lets a task go on. */
function printOf(found: FoundTask): string {
  const { call } = found;
  return JSON.stringify([taskStatus(found), call.approval?.state, questionsOf(call).map(({ handle }) => handle)]);
}
