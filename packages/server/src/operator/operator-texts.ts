import type { Approval, ListedCall, RecordedCall } from 'toolpact';
import type { Cause } from '../inspector/page-answers.ts';
import { cut, duration, howItEnded, shown } from '../routes/call-words.ts';

/** Lines of a stack that lie in the program itself come first. */
const maxStackLines = 12;

/** Writes a call on one line. */
export function callLine(call: ListedCall): string {
  const { id, tool, begunAt, tookMs, preview, message } = call;
  const parts = [id, begunAt, tool, howItEnded(call), ...(tookMs === undefined ? [] : [duration(tookMs)])];
  return [...parts, ...(preview === undefined ? [] : [preview]), ...(message === undefined ? [] : [JSON.stringify(message)])].join('  ');
}

/** Writes all that is known of one call, in the order in which one asks for it. */
export function explainCall(call: RecordedCall, cause?: Cause): string {
  const { id, tool, input, isWhole, modelText, message, recovery, attempts, runId, key, replayOf, rerunOf, approval, questions, trace } =
    call;
  const answered = (call.waits ?? []).filter(({ kind, state }) => kind === 'input' && state !== 'open');
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
    ...answered.map((wait) => `asked: ${wait.message} ${decisionOf(wait)}${wait.answer === undefined ? '' : `: ${wait.answer}`}`),
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

function decisionOf({ state, by, reason }: { readonly state: string; readonly by?: string; readonly reason?: string }): string {
  return `${state}${by === undefined ? '' : ` by ${by}`}${reason === undefined ? '' : `: ${reason}`}`;
}

function causeLines({ name, message, stack, causes }: Cause): string[] {
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

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
