import { isOutcome, isRecord, sleep, systemClock } from 'toolpact/internal';
import type { CallRequest, CallResult, CallState } from './call-request.ts';
import { workflowKey } from './workflow-key.ts';

/** Restate's answer about a call, or why there is none. */
export type IngressAnswer =
  | { readonly is: 'ended'; readonly result: CallResult }
  /** There is such a call already. */
  | { readonly is: 'taken' }
  | { readonly is: 'running' }
  /** There is no such call, or no such service. */
  | { readonly is: 'unknown' }
  /** The tool has changed since the call began. */
  | { readonly is: 'changed' }
  | { readonly is: 'failed'; readonly why: string }
  /** Restate cannot be reached, or the connection broke. `isSent` where the request may have arrived. */
  | { readonly is: 'unreachable'; readonly isSent: boolean; readonly cause: unknown };

/** Speaks to the HTTP ingress of Restate about the calls of one service. */
export interface RestateIngress {
  /** Makes the call and waits for its end; `unreachable` where that takes longer than a request may. */
  readonly run: (tenant: string, handle: string, request: CallRequest, signal: AbortSignal) => Promise<IngressAnswer>;
  /** Waits for the end of a call, likewise. */
  readonly attach: (tenant: string, handle: string, signal: AbortSignal) => Promise<IngressAnswer>;
  /** Returns the end of a call, without waiting. */
  readonly output: (tenant: string, handle: string, signal?: AbortSignal) => Promise<IngressAnswer>;
  /** Returns what a call says of itself; undefined when there is none, or it cannot be asked now. */
  readonly look: (tenant: string, handle: string, signal?: AbortSignal) => Promise<CallState | undefined>;
  /** Returns an answer that a call waits for: `taken` where it has one. */
  readonly settle: (
    tenant: string,
    handle: string,
    name: string,
    answer: unknown,
    limitMs?: number,
  ) => Promise<IngressAnswer | { readonly is: 'settled' }>;
  /** Returns what promises of a call were resolved with, null for those that were not; undefined where Restate does not answer. */
  readonly peek: (tenant: string, handle: string, names: readonly string[]) => Promise<readonly unknown[] | undefined>;
  readonly stop: (tenant: string, handle: string) => Promise<boolean>;
}

/** Where the ingress is. */
export interface RestateIngressOptions {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly fetch: typeof globalThis.fetch;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Creates a client of the ingress. If one of several addresses does not answer, the next one is asked. */
export function createRestateIngress({ urls, headers, service, fetch }: RestateIngressOptions): RestateIngress {
  let current = 0;

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
    limitMs = longestAnswerMs,
  ): Promise<Reply | IngressAnswer> {
    const url = `${String(urls[current % urls.length]).replace(/\/+$/, '')}${path}`;
    const limit = new AbortController();
    const stop = systemClock.after(limitMs, () => limit.abort(new Error('Restate did not answer in time.')));
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]),
        redirect: 'error',
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch (cause) {
      if (signal?.aborted !== true) current += 1;
      return { is: 'unreachable', isSent: !neverSent(cause), cause };
    } finally {
      stop();
    }
  }

  const of = (tenant: string, handle: string): string => encodeURIComponent(workflowKey(tenant, handle));
  const handler = (tenant: string, handle: string, name: string): string => `/${service}/${of(tenant, handle)}/${name}`;
  const read = (reply: Reply | IngressAnswer): IngressAnswer => ('is' in reply ? reply : readReply(reply));
  return {
    run: async (tenant, handle, request, signal) => read(await ask('POST', handler(tenant, handle, 'run'), request, signal)),
    attach: async (tenant, handle, signal) =>
      read(await ask('GET', `/restate/workflow/${service}/${of(tenant, handle)}/attach`, undefined, signal)),
    output: async (tenant, handle, signal) =>
      read(await ask('GET', `/restate/workflow/${service}/${of(tenant, handle)}/output`, undefined, signal)),
    async look(tenant, handle, signal) {
      const reply = await ask('POST', handler(tenant, handle, 'look'), undefined, signal);
      return 'is' in reply || reply.status !== 200 || !isCallState(reply.body) ? undefined : reply.body;
    },
    async settle(tenant, handle, name, answer, limitMs) {
      const reply = await ask('POST', handler(tenant, handle, 'settle'), { name, answer }, undefined, limitMs);
      if ('is' in reply) return reply;
      return reply.status < 300 ? { is: 'settled' } : readReply(reply);
    },
    async peek(tenant, handle, names) {
      const reply = await ask('POST', handler(tenant, handle, 'peek'), names);
      return !('is' in reply) && reply.status === 200 && Array.isArray(reply.body) ? reply.body : undefined;
    },
    async stop(tenant, handle) {
      for (let tries = 1; ; tries += 1) {
        const reply = await ask('POST', handler(tenant, handle, 'stop'));
        if (!('is' in reply) && reply.status === 200 && reply.body === true) return true;
        if (tries === maxStops) return false;
        await sleep(betweenStopsMs);
      }
    },
  };
}

/** No request waits for longer, but is made again, of the next node: a node that stops may leave a request without an answer for ever. */
const longestAnswerMs = 10_000;

/** A call that has just begun can be stopped only when Restate has stored that it began. */
const maxStops = 20;
const betweenStopsMs = 50;

/** The meaning of the ingress's statuses. 470 and 570 are Restate's own. */
const byStatus: Readonly<Record<number, IngressAnswer>> = {
  404: { is: 'unknown' },
  409: { is: 'taken' },
  470: { is: 'running' },
  570: { is: 'changed' },
};

function readReply({ status, body }: Reply): IngressAnswer {
  if (status === 200) return isCallResult(body) ? { is: 'ended', result: body } : { is: 'failed', why: 'its answer cannot be read here' };
  const answer = byStatus[status];
  if (answer !== undefined) return answer;
  if (status >= 500 && isRecord(body) && body.source !== 'invocation') return { is: 'unreachable', isSent: true, cause: body };
  return { is: 'failed', why: `it answered with the status ${status}` };
}

function isCallResult(value: unknown): value is CallResult {
  return isRecord(value) && value.v === 1 && isOutcome(value.outcome);
}

function isCallState(value: unknown): value is CallState {
  return isRecord(value) && value.v === 1 && typeof value.restateId === 'string';
}

/** Recognises errors of a request that never left this machine. */
function neverSent(thrown: unknown): boolean {
  const { cause, code } = (thrown ?? {}) as { readonly cause?: unknown; readonly code?: unknown };
  if (typeof code === 'string')
    return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
  return cause !== undefined && cause !== thrown && neverSent(cause);
}
