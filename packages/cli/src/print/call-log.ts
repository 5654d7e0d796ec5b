import type { EventOf, JsonValue, Outcome, Pending } from 'toolpact';
import { noTenant } from 'toolpact/extend';
import { defaultRedactor } from 'toolpact/internal';
import { type Paint, plain, plainLine, shortLine, type Tone } from './terminal.ts';

/** How calls are logged. */
export type LogForm = 'pretty' | 'json' | 'off';

/** Writes what happens on one line each. */
export interface CallLog {
  readonly call: (outcome: Outcome) => void;
  readonly denied: (record: Omit<EventOf<'denied'>, 'v' | 'id' | 'type'>) => void;
  /** Something failed where no caller sees it. Written in every form. */
  readonly problem: (event: EventOf<'problem'>) => void;
  /** Anything else, with facts for programs and a sentence for people. */
  readonly note: (level: Level, event: string, message: string, facts?: Readonly<Record<string, unknown>>) => void;
}

type Level = 'info' | 'warn' | 'error';

const tones: Readonly<Record<Level, Tone>> = { info: 'dim', warn: 'warn', error: 'bad' };

/** Creates the log of a server. Notes are written in every form, calls only where the form says so. */
export function createCallLog(form: LogForm, say: (text: string) => void, paint: Paint, now: () => Date = () => new Date()): CallLog {
  if (form === 'json') {
    const line = (facts: object): void => say(`${JSON.stringify({ time: now().toISOString(), ...facts })}\n`);
    return {
      call: (outcome) => line(toFacts(outcome)),
      denied: ({ at: _, ...record }) => line({ level: 'warn', event: 'denied', ...record }),
      problem: ({ where, message, debugId }) => line({ level: 'error', event: 'problem', where, message, debugId }),
      note: (level, event, message, facts) => line({ level, event, message, ...facts }),
    };
  }
  const line = (text: string): void => say(`${paint('dim', clock(now()))}  ${text.replace(/\n(?![ \t])/g, '\n          ')}\n`);
  return {
    call: (outcome) => form === 'pretty' && line(formatCall(outcome, paint)),
    // A call that was denied has a line of its own already.
    denied: ({ reason, method, path, message }) =>
      form === 'pretty' &&
      reason !== 'denied' &&
      line(`${paint('warn', 'denied')}  ${reason}  ${plainLine(`${method} ${path.slice(0, 100)}`)}  ${paint('dim', plainLine(message))}`),
    problem: ({ where, message }) => line(paint('bad', `${plainLine(where)} failed: ${plainLine(message)}`)),
    note: (level, _, message) => line(paint(tones[level], plain(message))),
  };
}

/** Writes one call for people: tool, outcome, time, and what they would ask next. */
export function formatCall(outcome: Outcome, paint: Paint): string {
  const { tool = '?', tookMs, attempts, tenantId, replayed, cacheHit } = outcome.meta;
  const notes = [
    ...(outcome.status === 'error' ? [shortLine(outcome.error.message, 160)] : []),
    ...(outcome.status === 'pending' ? pendingNotes(outcome.pending, outcome.input) : []),
    ...(outcome.status === 'partial' ? [`${outcome.failures.length} of ${outcome.total} failed`] : []),
    ...(replayed === true ? ['replayed'] : []),
    ...(cacheHit === true ? ['from the cache'] : []),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(tenantId !== undefined && tenantId !== noTenant ? [`tenant ${plainLine(tenantId)}`] : []),
  ];
  const [tone, word] = wordOf(outcome);
  return `${plainLine(tool).slice(0, 64).padEnd(20)} ${paint(tone, word.padEnd(16))} ${duration(tookMs).padStart(8)}  ${paint('dim', notes.join(' · '))}`.trimEnd();
}

/** The question and the arguments that it is about: an approver at the terminal decides by them. */
function pendingNotes({ reason, handle, ask }: Pending, input: JsonValue | undefined): string[] {
  const about = input === undefined ? [] : [shortLine(JSON.stringify(defaultRedactor.value(input)), 160)];
  return [`${reason}, ${handle}`, ...(ask === undefined ? [] : [shortLine(ask.message, 160), ...about])];
}

function wordOf(outcome: Outcome): readonly [Tone, string] {
  switch (outcome.status) {
    case 'ok':
      return ['good', 'ok'];
    case 'partial':
      return ['warn', 'partial'];
    case 'pending':
      return ['warn', 'pending'];
    case 'error':
      return ['bad', outcome.error.kind];
  }
}

function toFacts(outcome: Outcome): object {
  const { status, meta } = outcome;
  const { tool, tookMs, attempts, tenantId, traceId, invocationId, replayed } = meta;
  const failure =
    status === 'error'
      ? { kind: outcome.error.kind, code: outcome.error.code, effect: outcome.error.effect, message: outcome.error.message }
      : {};
  const level: Level = status === 'error' ? 'warn' : 'info';
  return { level, event: 'call', tool, status, ...failure, tookMs, attempts, tenantId, traceId, invocationId, replayed };
}

function duration(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 100 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

function clock(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
