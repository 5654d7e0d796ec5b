import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from 'toolpact';
import { canary, type Expected, type Failing, type Fault, type Working } from './fault.ts';
import { finalAnswer, type RunRecord, type ScriptedCall, type SeenByApp, type ToldModel } from './host.ts';

/**
 * How a run ended. S: it reached its answer and the model was told the truth. s: told that it failed, but the cause was lost or wrong.
 * Q: told success, or nothing. E: ended early without an error. T: threw. H: hung. X: the process died. –: it has no such feature.
 */
export type Code = 'S' | 's' | 'Q' | 'E' | 'T' | 'H' | 'X' | '–';

/** The application's view of a failure. C: a kind or code. R: only the original error. F: only that it failed. N: nothing. */
export type AppLevel = 'C' | 'R' | 'F' | 'N';

/** One cell of the matrix. */
export interface Cell {
  readonly fault: string;
  readonly code: Code;
  /** Only for the faults that must be classified, where the model was informed. */
  readonly app?: AppLevel;
  /** Secrets and stacks that reached the model. */
  readonly leaks: readonly ('secret' | 'stack')[];
  /** The reason why it is less than S, for people. */
  readonly why?: string;
}

/** The end of a run as the runner saw it: a record, an error, or no end at all. */
export type Ending = { readonly record: RunRecord } | { readonly thrown: unknown } | { readonly hung: true };

/** Judges one run. `outcomes` are what Toolpact answered, by call id; without them it was a run of the framework alone. */
export function judge(fault: Fault, ending: Ending, outcomes?: ReadonlyMap<string, Outcome>): Cell {
  if ('hung' in ending) return { fault: fault.title, code: 'H', leaks: [] };
  if ('thrown' in ending) return { fault: fault.title, code: 'T', leaks: [], why: textOf(ending.thrown) };
  const { record } = ending;
  const leaks = leaksIn(Object.values(record.toModel));
  if (record.answer?.includes(finalAnswer) !== true) {
    return { fault: fault.title, code: 'E', leaks, why: `answered ${JSON.stringify(record.answer)}` };
  }
  const verdicts = fault.calls.map((call) => judgeCall(call, fault.expected[call.id] as Expected, record));
  const worst = verdicts.reduce((a, b) => (weight[b.code] > weight[a.code] ? b : a));
  const level = fault.isError && worst.code !== 'Q' ? appLevel(fault, record, outcomes) : undefined;
  return {
    fault: fault.title,
    code: worst.code,
    ...(level !== undefined && { app: level }),
    leaks,
    ...(worst.why !== undefined && { why: worst.why }),
  };
}

interface Verdict {
  readonly code: 'S' | 's' | 'Q';
  readonly why?: string;
}

const weight: Readonly<Record<Verdict['code'], number>> = { S: 0, s: 1, Q: 2 };

function judgeCall(call: ScriptedCall, expected: Expected, { toModel, history }: RunRecord): Verdict {
  const raw = toModel[call.id];
  if (raw === undefined) return { code: 'Q', why: `${call.id} was not answered` };
  // A result that has no JSON form may well have come out as nothing at all.
  const told = { ...raw, text: raw.text ?? '' };
  const code = 'kind' in expected ? judgeFailing(told, expected) : judgeWorking(told, expected);
  if (code !== 'S') return { code, why: `${call.id}: ${told.text.slice(0, 300)}` };
  if ('keepsArguments' in expected && history !== undefined && !isDeepStrictEqual(fromJson(history[call.id]), call.args)) {
    return { code: 'Q', why: `${call.id}: the history says ${JSON.stringify(history[call.id])}` };
  }
  return { code };
}

/** Matches JavaScript's text of a value that has none. It tells a model nothing, whatever a fault accepts. */
const noText = /^"?(undefined|\[object \w+\])"?$/;

function judgeFailing(told: ToldModel, { says, orSays, misleads }: Failing): Verdict['code'] {
  if (noText.test(told.text.trim())) return told.failed === true ? 's' : 'Q';
  if (orSays?.test(told.text) && told.failed !== true) return 'S';
  if (!isToldFailed(told)) return 'Q';
  return says.test(told.text) && misleads?.test(told.text) !== true ? 'S' : 's';
}

function judgeWorking(told: ToldModel, { says, not, orFails, maxChars = Number.POSITIVE_INFINITY }: Working): Verdict['code'] {
  if (noText.test(told.text.trim())) return 'Q';
  if (told.failed === true || (orFails?.test(told.text) && isToldFailed(told))) return orFails?.test(told.text) ? 'S' : 's';
  return says.test(told.text) && not?.test(told.text) !== true && told.text.length <= maxChars ? 'S' : 'Q';
}

/** Words that tell a failure where a host has no flag for it. */
const failureWords =
  /error|fail|invalid|\bnot\b|cannot|can't|unable|exception|refused|missing|required|expected|unknown|tim(ed|e) ?out|abort|wrong/i;

function isToldFailed({ text, failed }: ToldModel): boolean {
  return failed === true || failureWords.test(text);
}

function appLevel(fault: Fault, { app = {} }: RunRecord, outcomes: ReadonlyMap<string, Outcome> | undefined): AppLevel {
  const id = (fault.calls[0] as ScriptedCall).id;
  const seen = app[id];
  if (outcomes === undefined) return levelOf(seen);
  const outcome = outcomes.get(id);
  const { kind, orSays } = fault.expected[id] as Failing;
  if (outcome?.status === 'ok' && orSays !== undefined) return 'C';
  return (outcome?.status === 'error' ? outcome.error.kind : seen?.kind) === kind ? 'C' : 'N';
}

function levelOf(seen: SeenByApp | undefined): AppLevel {
  if (seen?.kind !== undefined || seen?.code !== undefined) return 'C';
  if (seen !== undefined && 'error' in seen && seen.error !== undefined) return 'R';
  return seen?.failed === true ? 'F' : 'N';
}

/** A frame of a stack, as every engine writes it, with a place in a file. */
const frame = /\bat [^\n]*:\d+:\d+\)?/;

function leaksIn(told: readonly ToldModel[]): Cell['leaks'] {
  const text = told.map((one) => one.text ?? '').join('\n');
  return [...(text.includes(canary) ? (['secret'] as const) : []), ...(frame.test(text) ? (['stack'] as const) : [])];
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown).slice(0, 300);
  } catch {
    return 'something that cannot be shown';
  }
}
