import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import type { JsonObject, Outcome, Pending } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import type { FoundTask } from './find-task.ts';

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

/** Gives the status of a call. A tool that failed has completed; only a call that was lost has failed. */
export function taskStatus(outcome: Outcome | undefined, pending: Pending): TaskStatus {
  if (outcome === undefined || outcome.status === 'pending') {
    const { reason } = outcome?.pending ?? pending;
    return reason === 'approval' || reason === 'input' ? 'input_required' : 'working';
  }
  if (outcome.status !== 'error') return 'completed';
  return endsOf[outcome.error.kind] ?? 'completed';
}

const endsOf: { readonly [kind: string]: TaskStatus } = { cancelled: 'cancelled', interrupted: 'failed' };

/** Writes a pending call as a task. */
export function toTask({ taskId, state, outcome }: FoundTask): TaskShape {
  const { pending, since, endedAt, expiresAt } = state;
  const message = outcome?.status === 'pending' ? statusMessage(outcome.pending) : undefined;
  return {
    taskId,
    status: taskStatus(outcome, pending),
    ...(message !== undefined && { statusMessage: message }),
    createdAt: new Date(since).toISOString(),
    lastUpdatedAt: new Date(endedAt ?? since).toISOString(),
    ttlMs: expiresAt === undefined ? null : Math.max(1, Math.round(expiresAt - since)),
    pollIntervalMs: Math.max(1, Math.round(pending.pollAfterMs ?? defaultPollMs)),
  };
}

/** Gives the question of a task, or how far it has come. The message of its outcome is for models: it says which tool to call next. */
function statusMessage({ ask, progress: { percent, message } = {} }: Pending): string | undefined {
  return ask?.message ?? ([percent === undefined ? '' : `${percent} %`, message ?? ''].filter(Boolean).join(': ') || undefined);
}

/** Gives the question that a waiting call asks, as a request to the client. */
export function toInputRequest(message: string, schema: JsonObject): JsonObject {
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } };
}
