import type { Failure, JsonValue, Redactor } from '../outcome/index.ts';
import { isolate } from './isolate.ts';
import type { FailureReport, Report, ReportedError } from './ports.ts';

/** A failure as it is kept until somebody asks for it. */
interface Kept {
  readonly debugId: string;
  readonly tool: string;
  readonly failure: Failure;
  readonly input: unknown;
  readonly thrown: unknown;
  readonly redactor: Redactor;
}

const ring: (Kept | undefined)[] = new Array(256);
let written = 0;

/** Keeps a failure for {@link causeOf} and tells the operator about it. */
export function reportFailure(kept: Kept, report: Report | undefined): void {
  ring[written % ring.length] = kept;
  written += 1;
  if (report === undefined) logOnce(kept);
  else isolate(() => report(toReport(kept)));
}

/** Reads the full cause of a failure by its debug id, while it is among the last 256. */
export function causeOf(debugId: string): FailureReport | undefined {
  const kept = ring.findLast((entry) => entry?.debugId === debugId);
  return kept && toReport(kept);
}

const logged = new Map<string, number>();
const quiet: ReadonlySet<string> = new Set(['denied', 'cancelled']);

/** The default sink: one line per tool and cause per minute. */
function logOnce({ debugId, tool, failure }: Kept): void {
  if (quiet.has(failure.kind)) return;
  const key = `${tool} ${failure.kind} ${failure.cause ?? ''}`;
  const now = performance.now();
  const last = logged.get(key);
  if (last !== undefined && now - last < 60_000) return;
  if (logged.size >= 1000) logged.clear();
  logged.set(key, now);
  isolate(() => console.error(`toolpact: ${tool} failed (${failure.kind}): ${failure.message} [debugId ${debugId}]`));
}

function toReport({ debugId, tool, failure, input, thrown, redactor }: Kept): FailureReport {
  const error = thrown === undefined ? undefined : toReportedError(thrown, redactor, 0);
  const record = { debugId, tool, failure, input: redactor.value(input) as JsonValue, ...(error && { error }) };
  return Object.defineProperty(record, 'thrown', { value: thrown });
}

function toReportedError(thrown: unknown, redactor: Redactor, depth: number): ReportedError {
  const read = (key: string): unknown => {
    try {
      return typeof thrown === 'object' && thrown !== null ? (thrown as Record<string, unknown>)[key] : undefined;
    } catch {
      return undefined;
    }
  };
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? redactor.text(value) : undefined);
  const [stack, cause] = [text(read('stack')), read('cause')];
  return {
    name: text(read('name')) ?? typeof thrown,
    message: text(read('message')) ?? JSON.stringify(redactor.value(thrown)),
    ...(stack !== undefined && { stack }),
    ...(cause !== undefined && cause !== null && depth < 8 && { cause: toReportedError(cause, redactor, depth + 1) }),
  };
}
