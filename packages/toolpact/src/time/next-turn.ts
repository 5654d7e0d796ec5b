/** Taken when this is loaded: giving way to other work must not depend on a clock that a test has stopped. */
const defer: (run: () => void) => unknown =
  (globalThis as { setImmediate?: (run: () => void) => unknown }).setImmediate ?? ((run) => setTimeout(run, 0));

/** Lets everything run that is due now: timers, input and output, promises. Resolves in a later turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    defer(resolve);
  });
}
