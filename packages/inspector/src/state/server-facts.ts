import { signal } from '@preact/signals';
import type { ServerFacts } from '../api/api-shapes.ts';
import { readForCaller } from '../api/ask-server.ts';
import { followCaller } from './follow-caller.ts';

/** What the server can do for the page; undefined on a server that does not say. */
export const serverFacts = signal<ServerFacts | undefined>(undefined);

/** Keeps the facts of the server: a server that came back may be another. */
export function watchServerFacts(): void {
  const forget = (): void => {
    serverFacts.value = undefined;
  };
  followCaller(forget, () => void readFacts());
}

async function readFacts(): Promise<void> {
  const read = await readForCaller<ServerFacts>('v1/inspector');
  // Without the facts the page offers less.
  if (read?.value !== undefined) serverFacts.value = read.value;
}
