import type { Outcome } from 'toolpact';
import type { ContextIds } from './context-headers.ts';
import type { KnownEffects } from './known-effects.ts';
import type { Asking } from './send.ts';

/** Sends requests with the ids of one client. Never rejects. */
export type Ask = (asking: Omit<Asking, 'ids' | 'form'> & Partial<Pick<Asking, 'form'>>, own?: ContextIds) => Promise<Outcome>;

/** The state that the methods of a client share. */
export interface ClientParts {
  readonly ask: Ask;
  readonly form: Asking['form'];
  readonly known: KnownEffects;
  /** The time for each call that the client states. */
  readonly timeoutMs: number | undefined;
}
