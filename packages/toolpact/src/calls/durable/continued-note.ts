import { callNotes } from '../../ports/index.ts';

export const { continued: continuedNote, rerun: rerunNote } = callNotes;

/** The note in which the journal says where it keeps a call: the same in all runs of the call, and different for every call. */
export const recordedNote = 'recorded';

/** The note of a call that an approval lets run: the handle of that. */
export const approvalNote = 'approval';

/** The note with which the guard that defers lets the journal list a call under its handle, so that a worker takes it over when its process dies. */
export const deferredNote = 'deferred';

/** The note of a call that was deferred: its handle. A call that then sleeps or waits keeps it, because its caller has it. */
export const handleNote = 'handle';
