/** Loads what reads other forms than the outcome; undefined where that cannot be loaded, as in a browser without a network. */
export function loadForeign(): Promise<typeof import('./foreign-answers.ts') | undefined> {
  return import('./foreign-answers.ts').catch(() => undefined);
}
