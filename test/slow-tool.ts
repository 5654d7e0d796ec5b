import { defineTool } from '../src/index.ts';

/** Makes a tool whose calls are deferred at once and end when the test says so, first the one that began first. */
export function slowTool() {
  const ends: ((word: string) => void)[] = [];
  const slow = defineTool({
    name: 'slow',
    description: 'Takes long.',
    effects: 'none',
    deferAfterMs: 1,
    timeoutMs: 600_000,
    run: () => new Promise<string>((resolve) => ends.push(resolve)),
  });
  return { slow, ends, end: (word: string) => ends.shift()?.(word) };
}
