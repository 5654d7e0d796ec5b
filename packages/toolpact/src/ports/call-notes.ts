/** The names of the notes that guards and engines leave on a call for each other. */
export const callNotes = {
  /** What policies want to ask a person before the call runs: a list of questions. */
  questions: 'questions',
  /** The run of a remembered call that an engine makes: an `EngineRun`. */
  engineRun: 'engine-run',
} as const;
