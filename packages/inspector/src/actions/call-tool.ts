import type { JsonValue, Outcome } from 'toolpact';
import { ApiError, isRefused, send } from '../api/ask-server.ts';

const statuses: readonly unknown[] = ['ok', 'partial', 'error', 'pending'];

/** Options of a call besides its arguments. */
export interface CallOptions {
  /** An idempotency key. */
  readonly key?: string | undefined;
  /** A fault that is injected; only a server in `dev` does this. */
  readonly fault?: string | undefined;
  readonly runId?: string | undefined;
}

/** Calls a tool and gives its outcome, a failed one too. Fails only if there was no call: no server, no right, no such route. */
export async function callTool(tool: string, args: JsonValue, { key, fault, runId }: CallOptions = {}): Promise<Outcome> {
  if (fault !== undefined)
    return sendForOutcome('v1/inspector/break', { tool, arguments: args, fault, ...(runId !== undefined && { runId }) });
  const headers = { ...(key !== undefined && { 'idempotency-key': key }), ...(runId !== undefined && { 'x-run-id': runId }) };
  return sendForOutcome(`v1/tools/${encodeURIComponent(tool)}`, args, headers);
}

/** Sends something whose answer is an outcome, whatever the status of the response. */
export async function sendForOutcome(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const response = await send(path, { method: 'POST', body, headers });
  const answer = (await response.json().catch(() => ({}))) as {
    readonly status?: unknown;
    readonly detail?: string;
    readonly outcome?: Outcome;
  };
  if (response.status === 401) isRefused.value = true;
  if (statuses.includes(answer.status)) return answer as unknown as Outcome;
  if (answer.outcome !== undefined) return answer.outcome;
  throw new ApiError(response.status, answer.detail ?? `The server answered with status ${response.status}.`);
}
