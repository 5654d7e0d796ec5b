import { isFailureKind, type JsonValue, type Meta, type Outcome, type Pending } from '../outcome/index.ts';
import type { DecodeOptions } from './dialect.ts';
import { foreignError, foreignFailure, unknownMeta } from './foreign.ts';

const errorMark = /^\[error: ([a-z_]{1,64})(?:\/([^\]]*))?\] ?/;
const partialMark = /^\[partial\] \d+ of \d+ failed\./;
const pendingMark = /^\[pending\] ([\s\S]*) \(handle: ([\s\S]*)\)$/;

const pendingReasons: ReadonlyMap<string, Pending['reason']> = new Map([
  ['Waiting for approval.', 'approval'],
  ['Waiting for input.', 'input'],
  ['Waiting for the host.', 'host'],
]);

/** What a text that was meant for a model came with. */
export interface Marked {
  readonly text: string;
  /** Whether the format's own flag says that the call failed. */
  readonly failed: boolean;
  readonly data?: JsonValue | undefined;
  readonly meta?: Meta;
}

/**
 * Reads the outcome that a text for a model tells by its leading marker, or undefined where it tells of a plain success. A marked text
 * is a failure even where the format's own flag is absent: some hosts drop it.
 */
export function readMarkedText({ text, failed, data, meta = unknownMeta }: Marked, options: DecodeOptions): Outcome | undefined {
  const [mark, kind = '', code] = errorMark.exec(text) ?? [];
  if (mark !== undefined) {
    const message = text.slice(mark.length);
    const known = isFailureKind(kind);
    // The kind of a newer peer takes the place of a code.
    return foreignError(foreignFailure(known ? kind : 'internal', { message, code: known ? code : kind }, options), meta, { data });
  }
  if (partialMark.test(text)) {
    return foreignError(foreignFailure('upstream', { message: text, code: 'partial_failure' }, options), meta, { data });
  }
  if (failed)
    return foreignError(foreignFailure('upstream', { message: text === '' ? 'The call failed.' : text }, options), meta, { data });
  const [, message, handle] = pendingMark.exec(text) ?? [];
  if (message === undefined || handle === undefined) return undefined;
  const pending = Object.freeze({ handle, reason: pendingReasons.get(message) ?? 'running' });
  return Object.freeze({ status: 'pending', pending, message, meta });
}
