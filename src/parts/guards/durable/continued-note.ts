import { callNotes } from '../../../core/ports/index.ts';

export const { continued: continuedNote, rerun: rerunNote } = callNotes;

/** The note with which the guard that defers lets the journal list a call under its handle, so that a worker takes it over when its process dies. */
export const deferredNote = 'deferred';

/** The note of a call that was deferred: its handle. A call that then sleeps or waits keeps it, because its caller has it. */
export const handleNote = 'handle';
