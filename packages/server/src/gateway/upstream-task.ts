import type { Client } from '@modelcontextprotocol/client';
import { ToolFailure } from 'toolpact';
import { type Clock, isRecord } from 'toolpact/internal';
import type { UpstreamRequestOptions } from './upstream.ts';

type Params = Readonly<Record<string, unknown>>;

/** Creates a request of the server, as its client would. */
export type AskServer = (method: string, params: object, options: UpstreamRequestOptions) => Promise<unknown>;

/** So long a result can be read after the task has ended, if the server keeps to it. */
const ttlMs = 3_600_000;
const shortestPollMs = 50;
const longestPollMs = 30_000;
const defaultPollMs = 1_000;
/** A server that was asked to cancel and does not answer is left alone. */
const cancelMs = 5_000;

/** Whether calls of a tool have to be tasks, or may be; undefined where its server takes none. */
type TaskSupport = 'required' | 'optional';

/** Reads whether a server takes calls of a tool as tasks: it announces them, and so does the tool. */
export function taskSupportOf(
  client: Pick<Client, 'getServerCapabilities' | 'getProtocolEra'> | undefined,
  listing: unknown,
): TaskSupport | undefined {
  if (client === undefined || client.getProtocolEra() === 'modern') return undefined;
  const { tasks } = (client.getServerCapabilities() ?? {}) as { readonly tasks?: { readonly requests?: { readonly tools?: Params } } };
  const execution = isRecord(listing) ? listing.execution : undefined;
  const support = isRecord(execution) ? execution.taskSupport : undefined;
  return tasks?.requests?.tools?.call !== undefined && (support === 'required' || support === 'optional') ? support : undefined;
}

/**
 * Makes a call as a task, in the form of 2025-11-25, and waits for its result: so the server may take longer than a request can stay open. What
 * the task says of itself is reported as progress; what it asks is asked while its result is waited for; and a call that is stopped cancels it.
 */
export async function callAsTask(
  ask: AskServer,
  params: object,
  options: UpstreamRequestOptions,
  { clock, changes }: { readonly clock: Clock; readonly changes: TaskChanges },
): Promise<unknown> {
  const created = await ask('tools/call', { ...params, task: { ttl: ttlMs } }, options);
  const first = isRecord(created) ? created.task : undefined;
  // A server may answer at once.
  if (!isRecord(first) || typeof first.taskId !== 'string') return created;
  const { taskId } = first;
  const request = { ...(options.signal && { signal: options.signal }), ...(options.timeout !== undefined && { timeout: options.timeout }) };
  let reported: unknown;
  let progress = 0;
  try {
    for (let task: Params = first; ; task = (await ask('tasks/get', { taskId }, request)) as Params) {
      const { status, statusMessage, pollInterval } = task;
      if (typeof statusMessage === 'string' && statusMessage !== reported) {
        reported = statusMessage;
        progress += 1;
        options.onprogress?.({ progress, message: statusMessage } as never);
      }
      if (status === 'cancelled')
        throw new ToolFailure('cancelled', typeof statusMessage === 'string' ? statusMessage : 'The server cancelled the task.', {
          effect: 'unknown',
        });
      // Questions of a task come with the request for its result, which the server answers when it has ended.
      if (status !== 'working') return await ask('tasks/result', { taskId }, request);
      const ms = typeof pollInterval === 'number' ? Math.min(longestPollMs, Math.max(shortestPollMs, pollInterval)) : defaultPollMs;
      await changes.next(taskId, ms, clock, options.signal);
    }
  } catch (error) {
    if (options.signal?.aborted === true) void ask('tasks/cancel', { taskId }, { timeout: cancelMs }).catch(() => undefined);
    throw error;
  }
}

/** Wakes those who wait for a task, when its server says that it has changed. */
export interface TaskChanges {
  readonly tell: (taskId: unknown) => void;
  /** Resolves when the task has changed or the time has passed; rejects when the signal fires. */
  readonly next: (taskId: string, ms: number, clock: Clock, signal: AbortSignal | undefined) => Promise<void>;
}

/** Creates the place where changes of tasks are told. */
export function createTaskChanges(): TaskChanges {
  const waiting = new Map<unknown, () => void>();
  return {
    tell: (taskId) => waiting.get(taskId)?.(),
    async next(taskId, ms, clock, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => reject(signal?.reason);
      const stop = clock.after(ms, resolve);
      waiting.set(taskId, resolve);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted === true) abort();
      try {
        await promise;
      } finally {
        stop();
        waiting.delete(taskId);
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}
