import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import type { JsonObject, Pending } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { type FoundTask, hasEnded, pendingOf } from './find-task.ts';

/** The name under which clients and servers announce that they speak tasks. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Checks whether the `_meta` of a request, as its client sent it, announces tasks. */
export function announcesTasks(meta: unknown): boolean {
  const capabilities = isRecord(meta) ? meta[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const extensions = isRecord(capabilities) ? capabilities.extensions : undefined;
  return isRecord(extensions) && isRecord(extensions[tasksExtension]);
}

/** The state of a task, in the words of the protocol. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A pending call as the extension describes it. */
export interface TaskShape {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long the task can be read, counted from its creation; null for ever. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

const defaultPollMs = 1_000;

/** Returns the status of a call. A tool that failed has completed; only a call that was lost has failed. */
export function taskStatus({ call, outcome }: Pick<FoundTask, 'call' | 'outcome'>): TaskStatus {
  if (outcome === undefined) {
    const { reason } = pendingOf(call);
    return reason === 'approval' || reason === 'input' ? 'input_required' : 'working';
  }
  if (outcome.status !== 'error') return 'completed';
  return endsOf[outcome.error.kind] ?? 'completed';
}

const endsOf: { readonly [kind: string]: TaskStatus } = { cancelled: 'cancelled', interrupted: 'failed' };

/** Writes a remembered call as a task. */
export function toTask(found: FoundTask): TaskShape {
  const { begunAt, endedAt = begunAt, expiresAt } = found.call;
  const pending = pendingOf(found.call);
  const message = hasEnded(found) ? undefined : statusMessage(pending);
  return {
    taskId: found.taskId,
    status: taskStatus(found),
    ...(message !== undefined && { statusMessage: message }),
    createdAt: begunAt,
    lastUpdatedAt: endedAt,
    ttlMs: expiresAt === undefined ? null : Math.max(1, Date.parse(expiresAt) - Date.parse(begunAt)),
    pollIntervalMs: Math.max(1, Math.round(pending.pollAfterMs ?? defaultPollMs)),
  };
}

/** Returns the question of a task, or how far it has come. The message of its outcome is for models: it says which tool to call next. */
function statusMessage({ ask, progress: { percent, message } = {} }: Pending): string | undefined {
  return ask?.message ?? ([percent === undefined ? '' : `${percent} %`, message ?? ''].filter(Boolean).join(': ') || undefined);
}

/** Returns the question that a waiting call asks, as a request to the client. */
export function toInputRequest(message: string, schema: JsonObject): JsonObject {
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } };
}
