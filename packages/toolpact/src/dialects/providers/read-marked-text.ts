import {
  type Failure,
  isFailureKind,
  type JsonValue,
  type Meta,
  nextMark,
  type Outcome,
  type Pending,
  toModelText,
} from '../../outcome/index.ts';
import type { DecodeOptions } from '../dialect.ts';
import { foreignError, foreignFailure } from '../reading/foreign.ts';

const errorMark = /^\[error: ([a-z_]{1,64})(?:\/([^\]]*))?\] ?/;
const partialMark = /^\[partial\] \d+ of \d+ failed\./;
const pendingMark = /^\[pending: (approval|input|running|host)\] /;
const handleMark = ' (handle: ';

/** A text for a model, with its parts. */
export interface Marked {
  readonly text: string;
  /** Whether the format's own flag says that the call failed. */
  readonly failed: boolean;
  readonly data?: JsonValue | undefined;
  readonly meta: Meta;
}

/**
 * Reads the outcome from the leading marker of a text for a model; undefined if the text reports a plain success. A marked text
 * is a failure even where the format's own flag is absent: some hosts drop it.
 */
export function readMarkedText({ text, failed, data, meta }: Marked, options: DecodeOptions): Outcome | undefined {
  const [mark, kind = '', code] = errorMark.exec(text) ?? [];
  if (mark !== undefined) {
    const { message, advice } = readNext(text.slice(mark.length));
    const known = isFailureKind(kind);
    // The kind of a newer peer takes the place of a code.
    return foreignError(foreignFailure(known ? kind : 'internal', { message, advice, code: known ? code : kind }, options), meta, { data });
  }
  if (partialMark.test(text)) {
    return foreignError(foreignFailure('upstream', { message: text, code: 'partial_failure' }, options), meta, { data });
  }
  if (failed) {
    // The words of its author, which no kind comes with.
    const facts = text === '' ? { message: 'The call failed.', withheld: true } : { message: text };
    return foreignError(foreignFailure('failed', facts, options), meta, { data });
  }
  if (markOf(text) !== 'pending') return undefined;
  const [waits = '', reason] = pendingMark.exec(text) ?? [];
  const end = text.lastIndexOf(handleMark);
  const message = text.slice(waits.length, end);
  const handle = text.slice(end + handleMark.length, -1);
  const pending = Object.freeze({ handle, reason: reason as Pending['reason'] });
  return Object.freeze({ status: 'pending', pending, message, meta });
}

/** Takes the last line, which says what to do next, apart from what happened. */
function readNext(text: string): { readonly message: string; readonly advice: string | undefined } {
  const at = text.lastIndexOf('\n');
  const line = text.slice(at + 1);
  return at > 0 && line.startsWith(nextMark)
    ? { message: text.slice(0, at), advice: line.slice(nextMark.length) }
    : { message: text, advice: undefined };
}

/**
 * Checks whether a text for a model can belong to an outcome: a text marked as failed, partial or pending belongs to such an outcome only,
 * and an outcome that is one of these is marked, unless the format has a flag that says so.
 */
export function canBeTextOf(text: string, outcome: Outcome, flagged = false): boolean {
  const mark = markOf(text);
  return mark === undefined ? flagged || outcome.status === 'ok' : mark === markOf(toModelText(outcome));
}

/** Checks whether a text for a model can belong to a failure: a text marked with another kind or code cannot. */
export function isMarkedAs(text: string, { kind, code }: Failure): boolean {
  return !errorMark.test(text) || text.startsWith(`[error: ${kind}${code === undefined ? '' : `/${code}`}]`);
}

function markOf(text: string): Outcome['status'] | undefined {
  if (errorMark.test(text)) return 'error';
  if (partialMark.test(text)) return 'partial';
  const isPending = pendingMark.test(text) && text.endsWith(')') && text.includes(handleMark, '[pending:'.length);
  return isPending ? 'pending' : undefined;
}
