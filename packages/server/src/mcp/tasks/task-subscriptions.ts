import { MissingRequiredClientCapabilityError, SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { isRecord, systemClock } from 'toolpact/internal';
import type { McpCaller } from '../caller.ts';
import { findTask } from './find-task.ts';
import { announcesTasks, tasksExtension } from './task-shape.ts';

/** Adds what changes in tasks to the subscriptions of 2026-07-28. The SDK answers for all other kinds of notifications. */
export interface TaskSubscriptions {
  /** Checks whether a message asks for notifications about tasks. */
  readonly isAsked: (message: unknown) => boolean;
  /** Adds notifications about tasks to what the SDK answered. */
  readonly join: (response: Response, message: unknown, caller: McpCaller) => Promise<Response>;
  /** Ends all subscriptions in order. */
  readonly close: () => void;
}

/** Returns the whole of a task whenever it changes, until it has ended. */
export type WatchTask = (taskId: string, caller: McpCaller, signal: AbortSignal) => AsyncGenerator<object, void, undefined>;

const listenMethod = 'subscriptions/listen';
export const taskMethod = 'notifications/tasks';
export const acknowledgement = 'notifications/subscriptions/acknowledged';
/** The most tasks that one subscription names. */
const maxTasks = 100;
const keepAliveMs = 15_000;

/** Creates the part that adds tasks to subscriptions. `info` names the server. */
export function createTaskSubscriptions(watch: WatchTask, info: object): TaskSubscriptions {
  const open = new Set<() => void>();

  function serve(
    frames: ReadableStream<Uint8Array>,
    id: unknown,
    taskIds: readonly string[],
    caller: McpCaller,
  ): ReadableStream<Uint8Array> {
    const stopping = new AbortController();
    const encoder = new TextEncoder();
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
    let end: () => void = () => undefined;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        const write = (text: string): void => {
          if (!stopping.signal.aborted) controller.enqueue(encoder.encode(text));
        };
        const send = (message: object): void => write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
        const stopTimer = systemClock.every(keepAliveMs, () => write(': keepalive\n\n'), { background: true });
        const close = (): void => {
          if (stopping.signal.aborted) return;
          send({ id, result: { resultType: 'complete', _meta: { ..._meta, [SERVER_INFO_META_KEY]: info } } });
          end();
          controller.close();
        };
        end = () => {
          stopTimer();
          open.delete(close);
          stopping.abort();
        };
        open.add(close);
        const follow = async (taskId: string): Promise<void> => {
          for await (const task of watch(taskId, caller, stopping.signal)) send({ method: taskMethod, params: { ...task, _meta } });
        };
        // A task that can no longer be read has no more news. The subscription ends with what else it was for.
        const followAll = () => Promise.all(taskIds.map((taskId) => follow(taskId).catch(() => undefined)));
        void pass(frames, write, send, taskIds, followAll, stopping.signal)
          .catch(() => undefined)
          .finally(close);
      },
      cancel: () => end(),
    });
  }

  return {
    isAsked: isTaskRequest,
    async join(response, message, caller) {
      const { id, params } = message as { readonly id: unknown; readonly params?: unknown };
      const { body, status, headers } = response;
      // The SDK has refused the request: pass its answer on.
      if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
      const refusal = refusalOf(params);
      if (refusal !== undefined) {
        await body.cancel().catch(() => undefined);
        return Response.json({ jsonrpc: '2.0', id, error: refusal }, { status: 400 });
      }
      const taskIds = await findAsked(message, caller);
      return taskIds.length === 0
        ? new Response(body, { status, headers })
        : new Response(serve(body, id, taskIds, caller), { status, headers });
    },
    close() {
      for (const end of open) end();
    },
  };
}

/** Passes on what the SDK sends: its acknowledgement names the tasks too, and its end waits for theirs. */
async function pass(
  frames: ReadableStream<Uint8Array>,
  write: (text: string) => void,
  send: (message: object) => void,
  taskIds: readonly string[],
  followAll: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const reader = frames.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop);
  const decoder = new TextDecoder();
  let text = '';
  let following: Promise<unknown> = Promise.resolve();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      const frame = text.slice(0, at + 2);
      text = text.slice(at + 2);
      const message = messageIn(frame);
      if (message?.method === acknowledgement) {
        const { notifications, ...params } = message.params as { readonly notifications?: object };
        send({ method: acknowledgement, params: { ...params, notifications: { ...notifications, taskIds } } });
        following = followAll();
      } else if (message === undefined || message.method !== undefined) write(frame);
    }
  }
  signal.removeEventListener('abort', stop);
  await following;
}

function messageIn(frame: string): Readonly<Record<string, unknown>> | undefined {
  const data = /^data: (.+)$/m.exec(frame)?.[1];
  return data === undefined ? undefined : (JSON.parse(data) as Readonly<Record<string, unknown>>);
}

function taskIdsIn(message: unknown): readonly unknown[] | undefined {
  const { params } = message as { readonly params?: unknown };
  const notifications = isRecord(params) ? params.notifications : undefined;
  const taskIds = isRecord(notifications) ? notifications.taskIds : undefined;
  return Array.isArray(taskIds) ? taskIds : undefined;
}

/** Returns the error for a client that announces no tasks. */
export function refusalOf(params: unknown): { readonly code: number; readonly message: string; readonly data: unknown } | undefined {
  if (announcesTasks(isRecord(params) ? params._meta : undefined)) return undefined;
  const { code, message, data } = new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  });
  return { code, message, data };
}

/** Checks whether a message asks for notifications about tasks. */
export function isTaskRequest(message: unknown): boolean {
  return isRecord(message) && message.method === listenMethod && taskIdsIn(message) !== undefined;
}

/** Returns the tasks that a subscription names and that its caller may read. */
export async function findAsked(message: unknown, caller: McpCaller): Promise<readonly string[]> {
  const taskIds = [...new Set((taskIdsIn(message) ?? []).map(String))].slice(0, maxTasks);
  const tasks = await Promise.all(taskIds.map((taskId) => findTask(taskId, caller).catch(() => undefined)));
  return tasks.flatMap((task) => task?.taskId ?? []);
}
