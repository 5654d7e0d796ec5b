import { effect, signal } from '@preact/signals';
import type { ServerFacts } from '../api/api-shapes.ts';
import { askServer, credential, tenant } from '../api/ask-server.ts';
import { connected } from './connection.ts';

/** What the server can do for the page; undefined on a server that does not say. */
export const serverFacts = signal<ServerFacts | undefined>(undefined);

/** Keeps the facts of the server: a server that came back may be another. */
export function watchServerFacts(): void {
  effect(() => {
    void credential.value;
    void tenant.value;
    void connected.value;
    askServer<ServerFacts>('v1/inspector').then(
      (facts) => {
        serverFacts.value = facts;
      },
      () => {
        // Without the facts the page offers less.
      },
    );
  });
}
