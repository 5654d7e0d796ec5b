/** The names of the notes that guards and engines leave on a call for each other. */
export const callNotes = {
  /** Questions of policies to a person before the call runs, as a list. */
  questions: 'questions',
  /** The run of a remembered call that an engine makes: an `EngineRun`. */
  engineRun: 'engine-run',
} as const;
