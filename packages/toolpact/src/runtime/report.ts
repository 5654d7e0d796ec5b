import { isolate } from '../events/index.ts';
import { cutJson, isObject, isRecord, measureJson, peek, toLogRecord } from '../json/index.ts';
import { type Failure, type JsonValue, type Redactor, withoutAbsent } from '../outcome/index.ts';
import type { Call } from './call.ts';
import type { FailureReport, ReportedError } from './failure-report.ts';

const ring: (Kept | undefined)[] = new Array(256);
let written = 0;

/** A failure as it is kept for {@link causeOf}. */
interface Kept {
  readonly debugId: string;
  readonly tool: string;
  readonly failure: Failure;
  readonly input: unknown;
  readonly thrown: unknown;
  readonly redactor: Redactor;
}

/** Keeps a failure for {@link causeOf} and gives it to the operator's sink. */
export function reportFailure(call: Call, failure: Failure, thrown: unknown): void {
  const { redactor, settings } = call;
  const { report } = settings;
  // The redactor with the secrets of a call is not kept, only its output.
  const knows = redactor !== settings.redactor;
  let input = call.received;
  // Small arguments may be kept as they are; of larger ones only the redacted, bounded copy is.
  if (knows || !call.receivedFlat || !isSmallObject(input as object)) {
    input = copyOf(cutJson(redactor.value(input), maxKeptChars, []));
    // Until its stack is read, an error holds the functions on it, and those of guards hold the arguments.
    peek(thrown, 'stack');
  }
  const facts = !knows && isLight(thrown, 0) ? { failure, thrown } : copyOf({ failure, thrown: toReportedError(thrown, redactor, 0) });
  const kept: Kept = { debugId: call.invocationId, tool: call.plan.name, ...facts, input, redactor: settings.redactor };
  ring[written % ring.length] = kept;
  written += 1;
  if (report === undefined) logFailure(kept, call.endedAt);
  else isolate(() => report(toReport({ ...kept, thrown, redactor })));
}

/** Copies JSON. A part that was cut out of a long text would otherwise hold the whole text in memory. */
function copyOf<TValue>(value: TValue): TValue {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

/** Recognises an error that may be kept as it is; one that carries a response, a body or a client is kept as name, message, stack and causes. */
function isLight(thrown: unknown, depth: number): boolean {
  try {
    if (typeof thrown === 'string') return thrown.length < longest;
    if (!isObject(thrown)) return typeof thrown !== 'function';
    return (
      thrown instanceof Error && thrown.message.length < longest && depth < 4 && isSmallObject(thrown) && isLight(thrown.cause, depth + 1)
    );
  } catch {
    return false;
  }
}

const longest = 2000;
/** The most characters of arguments that are kept with each of the last failures. */
const maxKeptChars = 16_000;

/** Recognises an object whose fields are a little JSON. */
function isSmallObject(value: object): boolean {
  return measureJson({ ...value }, maxKeptChars) <= maxKeptChars;
}

/** Reads the full cause of a failure by its debug id, while it is among the last 256. */
export function causeOf(debugId: string | undefined): FailureReport | undefined {
  const kept = ring.findLast((entry) => entry?.debugId === debugId);
  return kept && toReport(kept);
}

/** A cause that was logged: when last, and how many failures were left out since. */
interface Logged {
  at: number;
  left: number;
}

const logged = new Map<string, Logged>();

/** Kinds that are answers to the caller and no faults of the tool. */
const notLogged = /^(invalid_input|unknown_tool|denied|cancelled)$/;

/** The default sink: a cause is logged in full the first time, with the shape of the arguments and the stack; then one line a minute says how many were left out. */
function logFailure(kept: Kept, now: number): void {
  const { tool, failure } = kept;
  const { kind, cause } = failure;
  if (notLogged.test(kind)) return;
  const name = `${tool} ${kind} ${cause}`;
  const known = logged.get(name);
  if (known !== undefined && now - known.at < 60_000) {
    known.left += 1;
    return;
  }
  if (logged.size >= 1000) logged.clear();
  logged.set(name, { at: now, left: 0 });
  isolate(() => {
    const more = known === undefined ? inFull(kept) : known.left > 0 ? ` (${known.left} more since the last line)` : '';
    const what = kind === 'failed' ? 'failed' : `failed (${kind})`;
    console.error(toLogRecord(`toolpact: ${tool} ${what}: ${failure.message} [debugId ${kept.debugId}]${more}`));
  });
}

/** Shows the shape of the arguments, the stack and the cause. A failure that the author wrote with `fail`, without a cause, needs no stack: its message says what happened. */
function inFull(kept: Kept): string {
  const { input, error, failure } = toReport(kept);
  const stacks = failure.cause === undefined ? [] : [error?.stack, error?.cause?.stack].filter((stack) => stack !== undefined);
  return [`\narguments: ${shapeOf(input)}`, ...stacks].join('\n');
}

/** Names arguments by kind and size. Their values may be anybody's data, and what is printed is kept by systems that were never asked. */
function shapeOf(input: JsonValue | undefined): string {
  if (!isRecord(input)) return input === undefined ? 'none' : kindOf(input);
  const names = Object.keys(input);
  if (names.length === 0) return 'none';
  const shown = names.slice(0, 20).map((name) => `${/^[A-Za-z_][\w-]{0,63}$/.test(name) ? name : 'another name'} (${kindOf(input[name])})`);
  const left = names.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more`] : [])].join(', ');
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return `text of ${value.length}`;
  if (Array.isArray(value)) return `list of ${value.length}`;
  return isRecord(value) ? `object of ${Object.keys(value).length}` : value === null ? 'null' : typeof value;
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
      return thrown === undefined ? thrown : toReportedError(thrown, redactor, 0);
    },
  };
  return Object.defineProperties(record, {
    thrown: { value: thrown },
    // Otherwise the console shows getters instead of what they give.
    [Symbol.for('nodejs.util.inspect.custom')]: { value: () => ({ ...record }) },
  });
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
