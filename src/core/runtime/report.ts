import { type Failure, type JsonValue, peek, type Redactor, withoutAbsent } from '../outcome/index.ts';
import type { Call } from './call.ts';
import { isolate } from './isolate.ts';
import type { FailureReport, ReportedError } from './ports.ts';

const ring: (Kept | undefined)[] = new Array(256);
let written = 0;

/** A failure as it is kept until somebody asks for it. */
interface Kept {
  readonly debugId: string;
  readonly tool: string;
  readonly failure: Failure;
  readonly input: unknown;
  readonly thrown: unknown;
  readonly redactor: Redactor;
}

/** Keeps a failure for {@link causeOf} and tells the operator about it. */
export function reportFailure(call: Call, failure: Failure, thrown: unknown): void {
  const { received, receivedFlat } = call;
  const { redactor, report } = call.settings;
  // Small arguments may be kept as they are; of larger ones only the redacted, bounded copy is.
  const input = receivedFlat && isSmallObject(received as object) ? received : redactor.value(received);
  const error = isLight(thrown, 0) ? thrown : toReportedError(thrown, redactor, 0);
  const kept: Kept = { debugId: call.invocationId, tool: call.plan.name, failure, input, thrown: error, redactor };
  ring[written % ring.length] = kept;
  written += 1;
  if (report === undefined) logOnce(kept, call.endedAt);
  else isolate(() => report(toReport({ ...kept, thrown })));
}

/** Tells an error that may be kept as it is; one that carries a response, a body or a client is kept as name, message, stack and causes. */
function isLight(thrown: unknown, depth: number): boolean {
  try {
    if (typeof thrown === 'string') return thrown.length < longest;
    if (typeof thrown !== 'object' || thrown === null) return typeof thrown !== 'function';
    return thrown instanceof Error && depth < 4 && isSmallObject(thrown) && isLight(thrown.cause, depth + 1);
  } catch {
    return false;
  }
}

const longest = 2000;

/** Tells an object of few and small parts, however they are nested. */
function isSmallObject(value: object, depth = 0): boolean {
  let parts = 0;
  for (const key in value) {
    parts += 1;
    const part = (value as Record<string, unknown>)[key];
    if (parts > 30 || depth > 2) return false;
    if (typeof part === 'string' ? part.length > longest : typeof part === 'object' && part !== null && !isSmallObject(part, depth + 1))
      return false;
  }
  return true;
}

/** Reads the full cause of a failure by its debug id, while it is among the last 256. */
export function causeOf(debugId: string): FailureReport | undefined {
  const kept = ring.findLast((entry) => entry?.debugId === debugId);
  return kept && toReport(kept);
}

const logged = new Map<string, number>();
let last: { readonly tool: string; readonly failure: Failure; readonly at: number } | undefined;

/** The default sink: one line per tool and cause per minute. What is no fault is not logged. */
function logOnce({ debugId, tool, failure }: Kept, now: number): void {
  const { kind, cause } = failure;
  if (kind === 'denied' || kind === 'cancelled') return;
  // A tool that keeps failing the same way is the common case; it needs no look-up.
  if (last?.tool === tool && last.failure.kind === kind && last.failure.cause === cause && now - last.at < 60_000) return;
  const key = `${tool} ${kind} ${cause}`;
  const at = logged.get(key) ?? Number.NEGATIVE_INFINITY;
  if (now - at < 60_000) {
    last = { tool, failure, at };
    return;
  }
  if (logged.size >= 1000) logged.clear();
  logged.set(key, now);
  isolate(() => console.error(`toolpact: ${tool} failed (${kind}): ${failure.message} [debugId ${debugId}]`));
}

/** Builds the record. Input and error are redacted when they are read: most sinks look at few records. */
function toReport({ debugId, tool, failure, input, thrown, redactor }: Kept): FailureReport {
  const record = {
    debugId,
    tool,
    failure,
    get input(): JsonValue {
      return redactor.value(input);
    },
    get error(): ReportedError | undefined {
      return thrown === undefined ? undefined : toReportedError(thrown, redactor, 0);
    },
  };
  return Object.defineProperty(record, 'thrown', { value: thrown });
}

function toReportedError(thrown: unknown, redactor: Redactor, depth: number): ReportedError {
  const text = (key: string, from = thrown): string | undefined => {
    const found = peek(from, key);
    return typeof found === 'string' ? redactor.text(found.slice(0, 10_000)) : undefined;
  };
  const cause = depth < 8 ? (peek(thrown, 'cause') ?? undefined) : undefined;
  return withoutAbsent({
    name: text('name') ?? text('name', peek(thrown, 'constructor')) ?? typeof thrown,
    message: text('message') ?? text('statusText') ?? JSON.stringify(redactor.value(thrown)),
    stack: text('stack'),
    cause: cause === undefined ? undefined : toReportedError(cause, redactor, depth + 1),
  });
}
