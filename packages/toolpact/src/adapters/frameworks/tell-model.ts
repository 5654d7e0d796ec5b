import { type Outcome, toModelText } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { notesOf } from './shown-blocks.ts';

/** Writes what a model reads of an outcome: the marked text, or the documented envelope of a dialect as JSON. */
export function textFor(outcome: Outcome, dialect: ModelDialect | undefined): string {
  return dialect === undefined ? toModelText(outcome) : JSON.stringify(envelopeFor(outcome, dialect));
}

/** Writes the envelope that a model reads of an outcome. What goes to a model is always strict. */
export function envelopeFor(outcome: Outcome, dialect: ModelDialect): object {
  return dialect.encode(outcome, { strict: true });
}

/** Returns an outcome that providers' own dialects write as this text alone, for a text that says how the call ended by itself. */
export function textOutcome(outcome: Outcome, dialect: ModelDialect | undefined): Outcome {
  return dialect === undefined ? outcome : { status: 'ok', data: textFor(outcome, dialect), meta: outcome.meta };
}

/**
 * Writes the envelope of a dialect for hosts whose tools answer with one object and no text beside it. Files that no model is shown are named in
 * the message; of the origins' envelopes only `value` has a place for it.
 */
export function envelopeWithNotes(outcome: Outcome, dialect: ModelDialect): object {
  const notes = notesOf(outcome);
  if (notes.length === 0 || outcome.status === 'error') return envelopeFor(outcome, dialect);
  return envelopeFor({ ...outcome, message: [outcome.message ?? [], notes].flat().join('\n') }, dialect);
}
