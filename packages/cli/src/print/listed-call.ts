import type { CallWait, ListedCall, RecordedCall } from 'toolpact';
import { toLogRecord } from 'toolpact/internal';
import { type Paint, plain, plainLine, shortLine, type Tone } from './terminal.ts';

const tones: Readonly<Record<ListedCall['status'], Tone>> = { ok: 'good', error: 'bad', partial: 'warn', pending: 'warn', running: 'dim' };

/** Writes a recorded call on one line: when, tool, outcome, time, whether the world changed, what happened, and its id. */
export function formatListedCall(call: ListedCall, paint: Paint): string {
  const { begunAt, tool, status, kind, tookMs, attempts, effect, preview, message, replayOf, lost, id, progress } = call;
  const notes = [
    ...(effect !== undefined && effect !== 'none' ? [`effect ${effect}`] : []),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(replayOf !== undefined ? ['replayed'] : []),
    ...(lost === true ? ['its process died'] : []),
    ...((message ?? preview) !== undefined ? [shortLine(message ?? preview ?? '', 120)] : []),
    ...(progress !== undefined ? [progressLine(progress)] : []),
  ];
  const word = paint(tones[status], (kind ?? status).padEnd(16));
  const took = tookMs === undefined ? '' : `${tookMs.toFixed(1)} ms`;
  const line = `${begunAt.slice(0, 19).replace('T', ' ')}  ${plainLine(tool).slice(0, 64).padEnd(20)} ${word} ${took.padStart(11)}  ${plainLine(id)}`;
  return notes.length === 0 ? line : `${line}  ${paint('dim', notes.join(' · '))}`;
}

/** Writes all that is known of a recorded call. */
export function formatRecordedCall(call: RecordedCall, paint: Paint): string {
  const {
    input,
    modelText,
    trace,
    outcome: _,
    progress,
    preview,
    approval: __,
    questions: ___,
    pending: ____,
    waits = [],
    ...listed
  } = call;
  const shown = { ...listed, ...(progress && { progress: progressLine(progress) }) };
  const facts = Object.entries(shown).map(([name, value]) => `${name.padEnd(15)} ${plainLine(String(value))}`);
  const lines = [
    ...facts,
    '',
    paint('dim', 'arguments'),
    plain(JSON.stringify(input, null, 2)),
    ...(modelText === undefined ? [] : ['', paint('dim', 'what the model reads'), toLogRecord(`  ${modelText}`)]),
    ...(waits.length === 0 ? [] : ['', paint('dim', 'asked people')]),
    ...waits.map(waitLine),
    ...(trace === undefined || trace.guards.length === 0 ? [] : ['', paint('dim', 'guards')]),
    ...(trace?.guards ?? []).map(
      ({ guard, did = 'waits', atMs, tookMs }) => `${guard.padEnd(15)} ${did} after ${tookMs} ms, at ${atMs} ms`,
    ),
    ...(trace === undefined || trace.attempts.length === 0 ? [] : ['', paint('dim', 'attempts')]),
    ...(trace?.attempts ?? []).map(
      ({ attempt, status, kind, tookMs, message = '' }) => `${attempt}  ${kind ?? status}  ${tookMs} ms  ${shortLine(message, 160)}`,
    ),
    ...(trace === undefined || trace.steps.length === 0 ? [] : ['', paint('dim', 'steps')]),
    ...(trace?.steps ?? []).map(
      ({ step, atMs, tookMs, status = 'runs', kind = status, replayed }) =>
        `${plainLine(step)}  ${replayed ? 'remembered' : kind}  ${tookMs === undefined ? '' : `${tookMs} ms, `}begun at ${atMs} ms`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes what a call has asked, and who decided what, when and why. */
function waitLine({ message, state, askedAt, decidedAt, by, reason, answer }: CallWait): string {
  const facts = [
    `${state}${by === undefined ? '' : ` by ${by}`}`,
    ...(answer === undefined ? [] : [`answer: ${answer}`]),
    ...(reason === undefined ? [] : [`reason: ${reason}`]),
    `asked ${askedAt}`,
    ...(decidedAt === undefined ? [] : [`decided ${decidedAt}`]),
  ];
  return plainLine(`${message}  ${facts.join(', ')}`);
}

function progressLine({ percent, message }: NonNullable<ListedCall['progress']>): string {
  return [...(percent === undefined ? [] : [`${percent} %`]), ...(message === undefined ? [] : [shortLine(message, 120)])].join(': ');
}
