/** The names of the notes that guards and engines leave on a call for each other. */
export const callNotes = {
  /** What policies want to ask a person before the call runs: a list of questions. */
  questions: 'questions',
  /** Set where the `approvals` guard asks them, so that an engine does not ask again. */
  asksForApproval: 'asks-for-approval',
  /** Set where the journal makes a call again, because it was cut off, slept or waited: the id of its first invocation. */
  continued: 'continued',
  /** Set where a call is a rerun: what an earlier run of it left behind does not answer it. */
  rerun: 'rerun',
} as const;
