import type { FailOptions, FailureKind, Outcome } from 'toolpact';
import { makeFailure, readContextHeaders } from 'toolpact/internal';
import type { Identity } from '../auth/identity.ts';
import type { Denied } from '../server-options.ts';
import { encodeOutcome } from './encode-outcome.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { RequestHead } from './request-head.ts';
import type { Formats } from './response-format.ts';
import type { ServerRequest } from './server-request.ts';

/** The optional parts of a refusal. */
export interface RefuseOptions extends Pick<FailOptions, 'advice' | 'code' | 'details' | 'retryAfterMs' | 'issues'> {
  /** An HTTP status that says more than that of the kind, such as 405. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where operators find what was thrown. */
  readonly debugId?: string;
  /** Makes the refusal a denial that is reported to the audit. */
  readonly denied?: Denied['reason'];
  readonly identity?: Identity;
  /** The tool as the request spells it. */
  readonly tool?: string;
  /** The tool by its own name, for the audit alone. */
  readonly meant?: string;
  /** The trace id that the body names. */
  readonly traceId?: string | undefined;
  /** The request itself cannot be read: its path, its body or the name of its tool. @default true for `invalid_input` without issues */
  readonly malformed?: boolean;
}

/** Refuses a request before any call. */
export type Refuse = (request: ServerRequest, kind: FailureKind, message: string, options?: RefuseOptions) => HttpAnswer;

/** Creates the function that refuses requests, in the format of their route; denials among them are reported to the audit. */
export function createRefuse(audit: (record: Denied) => void, formats: Formats): Refuse {
  return ({ head, defaultFormat }, kind, message, options = {}) => {
    const { status, headers, denied, identity, tool, meant = tool, traceId = traceOf(head), malformed, ...facts } = options;
    const format = formats.select(head, defaultFormat) ?? defaultFormat;
    const own = format.dialect?.refusal?.({
      kind,
      status,
      isMalformed: malformed ?? (kind === 'invalid_input' && facts.issues === undefined),
      isSpoken: formats.spoken?.name === format.name,
    });
    const code = own?.code === undefined ? {} : { code: own.code };
    const outcome = refusedOutcome(kind, { message, ...code, ...facts }, traceId, tool);
    if (denied !== undefined) {
      const { tenantId, subject, keyId } = identity ?? {};
      const { method, path } = head;
      const who = {
        ...(meant !== undefined && { tool: meant }),
        ...(tenantId !== undefined && { tenantId }),
        ...(subject !== undefined && { subject }),
        ...(keyId !== undefined && { keyId }),
      };
      audit({ at: Date.now(), reason: denied, message, method, path, traceId: outcome.meta.traceId ?? '', ...who });
    }
    return encodeOutcome(outcome, format, headers, own?.status ?? status);
  };
}

/** Returns the trace id that a request brings, or a new one when what it brings cannot be used. */
export function traceOf({ header, search }: RequestHead): string {
  const query = search.includes('trace_id') ? new URLSearchParams(search) : undefined;
  const read = readContextHeaders((name) => (traceHeaders.includes(name) ? header(name) : undefined), { query });
  return read.issues === undefined && read.value.traceId !== undefined ? read.value.traceId : crypto.randomUUID().replaceAll('-', '');
}

const traceHeaders: readonly string[] = ['x-trace-id', 'x-request-id', 'traceparent'];

/** Creates the outcome of a request that was refused before any call. */
export function refusedOutcome(
  kind: FailureKind,
  facts: Parameters<typeof makeFailure>[1],
  traceId: string,
  tool: string | undefined,
): Outcome {
  const meta = Object.freeze({ ...(tool !== undefined && { tool }), traceId, tookMs: 0.001, attempts: 0 });
  return Object.freeze({ status: 'error', error: makeFailure(kind, { ...facts, effect: 'none' }), meta });
}
