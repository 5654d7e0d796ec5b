import type { Approval, JsonValue, ListedCall, RecordedCall } from 'toolpact';
import { isRecord } from 'toolpact/internal';

/** The error behind a failure, as the server shows it. */
export interface ThrownCause {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly causes: readonly { readonly name: string; readonly message: string }[];
}

/** A difference between two calls. */
export interface CallDifference {
  readonly field: string;
  readonly a: string;
  readonly b: string;
}

/** A coding agent reads so many characters of one value. */
const maxShown = 2_000;
/** Lines of a stack that lie in the program itself come first. */
const maxStackLines = 12;

/** Writes a call on one line. */
export function callLine(call: ListedCall): string {
  const { id, tool, begunAt, tookMs, preview, message } = call;
  const parts = [id, begunAt, tool, howItEnded(call), ...(tookMs === undefined ? [] : [duration(tookMs)])];
  return [...parts, ...(preview === undefined ? [] : [preview]), ...(message === undefined ? [] : [JSON.stringify(message)])].join('  ');
}

function howItEnded({ status, kind, code, effect, lost }: ListedCall): string {
  if (status === 'running' && lost === true) return 'running (its process is gone)';
  if (status !== 'error') return status;
  return `${kind}${code === undefined ? '' : `/${code}`}, effect ${effect}`;
}

function duration(ms: number): string {
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}

/** Writes all that is known of one call, in the order in which one asks for it. */
export function explainCall(call: RecordedCall, cause?: ThrownCause): string {
  const { id, tool, input, isWhole, modelText, message, recovery, attempts, runId, key, replayOf, rerunOf, approval, questions, trace } =
    call;
  return [
    `${tool} (${id}): ${howItEnded(call)}${call.tookMs === undefined ? '' : ` after ${duration(call.tookMs)}`}, ${attempts} attempt${attempts === 1 ? '' : 's'}`,
    `begun ${call.begunAt}${runId === undefined ? '' : `, run ${runId}`}${key === undefined ? '' : `, key ${key}`}`,
    ...(replayOf === undefined ? [] : [`answered with the outcome of ${replayOf}; it did not run`]),
    ...(rerunOf === undefined ? [] : [`runs ${rerunOf} again`]),
    `arguments${isWhole ? '' : ' (secrets hidden, or cut)'}: ${shown(input)}`,
    ...(message === undefined ? [] : [`message: ${message}`]),
    ...(recovery === undefined ? [] : [`recovery: ${recovery}`]),
    ...(modelText === undefined ? [] : [`the model read:\n${indent(cut(modelText))}`]),
    ...(approval === undefined ? [] : [`approval: ${approval.question} ${decisionOf(approval)}`]),
    ...(questions ?? []).map(({ handle, ask }) => `waits for an answer (${handle}): ${ask.message}`),
    // Guards that let the call on say nothing about how it ended.
    ...(trace?.guards ?? []).filter(({ did }) => did !== 'passed').map(({ guard, did = 'waits' }) => `guard ${guard}: ${did}`),
    ...(trace?.attempts ?? []).map(
      ({ attempt, status, kind, message: said, tookMs }) =>
        `attempt ${attempt}: ${kind ?? status} after ${duration(tookMs)}${said === undefined ? '' : `: ${said}`}`,
    ),
    ...(trace?.steps ?? []).map(
      ({ step, status = 'runs', kind, replayed, tookMs }) =>
        `step ${step}: ${kind ?? status}${replayed === true ? ' (remembered, not run again)' : tookMs === undefined ? '' : ` after ${duration(tookMs)}`}`,
    ),
    ...(cause === undefined ? [] : causeLines(cause)),
  ].join('\n');
}

function decisionOf({ state, by, reason }: Approval): string {
  return `${state}${by === undefined ? '' : ` by ${by}`}${reason === undefined ? '' : `: ${reason}`}`;
}

function causeLines({ name, message, stack, causes }: ThrownCause): string[] {
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const own = frames.filter((line) => !/node_modules|node:/.test(line));
  return [
    `cause: ${name}: ${message}`,
    ...(own.length > 0 ? own : frames).slice(0, maxStackLines),
    ...causes.map((one) => `caused by ${one.name}: ${one.message}`),
  ];
}

/** Writes what waits for a person on one line. */
export function approvalLine({ handle, tool, question, input, requestedAt }: Approval): string {
  return `${handle}  ${new Date(requestedAt).toISOString()}  ${tool}  ${question}  ${shown(input)}`;
}

/** Compares two calls, field by field. Ids and times differ always, and are left out. */
export function compareCalls(a: RecordedCall, b: RecordedCall): readonly CallDifference[] {
  const facts = (call: RecordedCall): JsonValue =>
    JSON.parse(
      JSON.stringify({
        tool: call.tool,
        arguments: call.input,
        ended: howItEnded(call),
        message: call.message,
        attempts: call.attempts,
        steps: call.trace?.steps.map(({ step, status, kind }) => `${step} ${kind ?? status ?? 'runs'}`),
        result: call.outcome !== undefined && 'data' in call.outcome ? call.outcome.data : undefined,
      }),
    );
  const took = ({ tookMs }: RecordedCall): string => (tookMs === undefined ? 'not ended' : duration(tookMs));
  const [shorter, longer] = [Math.min(a.tookMs ?? 0, b.tookMs ?? 0), Math.max(a.tookMs ?? 0, b.tookMs ?? 0)];
  // A few milliseconds more or less say something about the machine, not about the call.
  const isTimeNotable = longer > 2 * shorter && longer - shorter > 100;
  return [...differences('', facts(a), facts(b)), ...(isTimeNotable ? [{ field: 'took', a: took(a), b: took(b) }] : [])];
}

function differences(field: string, a: JsonValue | undefined, b: JsonValue | undefined): CallDifference[] {
  if (isRecord(a) && isRecord(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return names.flatMap((name) => differences(field === '' ? name : `${field}.${name}`, a[name] as JsonValue, b[name] as JsonValue));
  }
  return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ field, a: shown(a), b: shown(b) }];
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}… (${text.length - maxShown} more characters)`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
