/** The note of a call that the journal makes again, because it was cut off, slept or waited: the first of its invocations. The engines know it too. */
export const continuedNote = 'continued';

/** The note of a call that is a rerun: what an earlier run of it left behind does not answer it. The engines know it too. */
export const rerunNote = 'rerun';

/** The note with which the guard that defers lets the journal list a call under its handle, so that a worker takes it over when its process dies. */
export const deferredNote = 'deferred';

/** The note of a call that was deferred: its handle. A call that then sleeps or waits keeps it, because its caller has it. */
export const handleNote = 'handle';
