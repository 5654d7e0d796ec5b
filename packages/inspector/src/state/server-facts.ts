import { signal } from '@preact/signals';
import type { ServerFacts } from '../api/api-shapes.ts';
import { readForCaller } from '../api/ask-server.ts';
import { followCaller } from './follow-caller.ts';

/** Features of the server; undefined if the server does not report them. */
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
