import type { CallTrace } from '../api/api-shapes.ts';
import { guardWords, kindText, statusText, type Tone } from '../words/outcome-words.ts';

/** One line of the timeline: what happened, from when to when, in milliseconds since the call began. */
export interface TimelineRow {
  readonly what: 'guard' | 'wait' | 'attempt' | 'step' | 'progress';
  readonly label: string;
  readonly note: string;
  readonly tone: Tone;
  readonly fromMs: number;
  readonly toMs: number;
  /** The rows that this row sums up. */
  readonly inner?: readonly TimelineRow[];
}

/** All lines of a timeline and its length. */
export interface Timeline {
  readonly totalMs: number;
  readonly rows: readonly TimelineRow[];
}

/** A pause between two attempts that is shorter is not shown. */
const leastWaitMs = 5;

/** The recorded events within a call. */
type Trace = Partial<CallTrace>;

/** Creates a timeline of what happened within a call: guards, attempts, the waits between them, steps, progress. */
export function toTimeline({ trace = {}, tookMs }: { readonly trace?: Trace; readonly tookMs?: number }): Timeline {
  const soFarMs = tookMs === undefined ? trace.soFarMs : undefined;
  const guards = foldPassed(guardRows(trace, soFarMs));
  const late = latenessOf(trace);
  const rest = [...attemptRows(trace), ...stepRows(trace, soFarMs), ...progressRows(trace)].map((row) => shift(row, late));
  const open = soFarMs === undefined ? [] : openAttempt(trace, soFarMs + late);
  const rows = [...guards, ...rest, ...open].sort((a, b) => a.fromMs - b.fromMs);
  const totalMs = Math.max(tookMs ?? (soFarMs ?? 0) + late, ...rows.map(({ toMs }) => toMs), 0.001);
  return { totalMs, rows };
}

/** The attempt of a call that runs now. Whether its wait is over is not known. */
function openAttempt({ guards = [], attempts = [] }: Trace, soFarMs: number): readonly TimelineRow[] {
  // A guard that has not decided holds the call.
  if (guards.some(({ did }) => did === undefined)) return [];
  const fromMs = attempts.at(-1)?.endedAtMs ?? Math.max(0, ...guards.map(({ atMs, tookMs }) => atMs + tookMs));
  const label = attempts.length === 0 ? 'Run' : `Attempt ${attempts.length + 1}`;
  const note = attempts.length === 0 ? 'running' : 'running, or waiting for its turn';
  return [{ what: 'attempt', label, note, tone: 'live', fromMs, toMs: Math.max(fromMs, soFarMs) }];
}

function shift(row: TimelineRow, byMs: number): TimelineRow {
  const inner = row.inner?.map((one) => shift(one, byMs));
  return { ...row, fromMs: row.fromMs + byMs, toMs: row.toMs + byMs, ...(inner && { inner }) };
}

/** Guards count from the beginning of the call, attempts from a moment later. A tool runs after the guards that let the call on, so the difference shows. */
function latenessOf({ guards = [], attempts = [] }: Trace): number {
  const [first] = attempts;
  if (first === undefined) return 0;
  const passed = guards.filter(({ did }) => did === 'passed').map(({ atMs, tookMs }) => atMs + tookMs);
  return Math.max(0, Math.max(0, ...passed) - Math.max(0, first.endedAtMs - first.tookMs));
}

/** Returns round times for the axis: at most six, the first 0. */
export function axisOf(totalMs: number): readonly number[] {
  const rough = totalMs / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, index) => Number((index * step).toPrecision(6)));
}

function guardRows({ guards = [] }: Trace, soFarMs: number | undefined): TimelineRow[] {
  return guards.map(({ guard, phase, atMs, tookMs, did }) => ({
    what: 'guard',
    label: guard === phase ? guard : `${guard} (${phase})`,
    note: did === undefined ? 'waiting' : guardWords[did],
    tone: did === 'passed' ? 'calm' : did === 'failed' ? 'bad' : 'wait',
    fromMs: atMs,
    toMs: did === undefined && soFarMs !== undefined ? soFarMs : atMs + tookMs,
  }));
}

/** Guards that only let the call on are one line together. */
function foldPassed(rows: readonly TimelineRow[]): TimelineRow[] {
  const passed = rows.filter(({ tone }) => tone === 'calm');
  if (passed.length < 3) return [...rows];
  const folded: TimelineRow = {
    what: 'guard',
    label: `${passed.length} guards passed`,
    note: '',
    tone: 'calm',
    fromMs: Math.min(...passed.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...passed.map(({ toMs }) => toMs)),
    inner: passed,
  };
  return [folded, ...rows.filter(({ tone }) => tone !== 'calm')];
}

function attemptRows({ attempts = [], soFarMs }: Trace): TimelineRow[] {
  return attempts.flatMap(({ attempt, tookMs, endedAtMs, status, kind, message }, index) => {
    const fromMs = Math.max(0, endedAtMs - tookMs);
    const before = attempts[index - 1]?.endedAtMs ?? fromMs;
    const { text, tone } = statusText(status);
    const row: TimelineRow = {
      what: 'attempt',
      label: attempts.length === 1 && attempt === 1 && soFarMs === undefined ? 'Run' : `Attempt ${attempt}`,
      note: [kind ? kindText(kind) : status === 'ok' ? '' : text, message].filter(Boolean).join(': '),
      tone,
      fromMs,
      toMs: endedAtMs,
    };
    const waited = fromMs - before;
    if (waited < leastWaitMs) return [row];
    return [{ what: 'wait', label: 'Wait', note: '', tone: 'wait', fromMs: before, toMs: fromMs }, row];
  });
}

/** Where a step does not say how long it took, it lasts until the next one, or until its attempt ended. */
function stepRows({ steps = [], attempts = [] }: Trace, soFarMs: number | undefined): TimelineRow[] {
  return steps.map(({ step, atMs, tookMs, status, kind, message, replayed }, index) => {
    const isOpen = soFarMs !== undefined && status === undefined && !attempts.some(({ endedAtMs }) => endedAtMs >= atMs);
    const next = isOpen ? soFarMs : (steps[index + 1]?.atMs ?? attempts.find(({ endedAtMs }) => endedAtMs >= atMs)?.endedAtMs ?? atMs);
    return {
      what: 'step',
      label: `Step ${step}`,
      note: isOpen ? 'running' : replayed ? 'remembered, not run again' : [kind && kindText(kind), message].filter(Boolean).join(': '),
      tone: status === 'error' ? 'bad' : replayed ? 'calm' : 'live',
      fromMs: atMs,
      toMs: tookMs === undefined ? next : atMs + tookMs,
    };
  });
}

/** Many reports of progress are one line together. */
const maxReports = 3;

function progressRows({ progress = [] }: Trace): TimelineRow[] {
  const rows = progress.map(
    ({ message, done, total, atMs }): TimelineRow => ({
      what: 'progress',
      label: 'Progress',
      note: [message, done === undefined ? '' : total === undefined ? String(done) : `${done} of ${total}`].filter(Boolean).join(', '),
      tone: 'live',
      fromMs: atMs,
      toMs: atMs,
    }),
  );
  const [first, last] = [rows[0], rows.at(-1)];
  if (rows.length <= maxReports || first === undefined || last === undefined) return rows;
  return [{ ...last, label: `${rows.length} progress reports`, fromMs: first.fromMs, toMs: last.toMs, inner: rows }];
}
