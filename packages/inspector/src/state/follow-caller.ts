import { effect, untracked } from '@preact/signals';
import { caller } from '../api/ask-server.ts';
import { connected } from './connection.ts';

/** Reads again after each connection and for each caller. What was read for another caller is forgotten before. */
export function followCaller(forget: () => void, read: () => void): void {
  let known = caller.peek();
  effect(() => {
    const now = caller.value;
    void connected.value;
    untracked(() => {
      if (known !== now) forget();
      known = now;
      read();
    });
  });
}
