import type { Pending } from '../outcome/index.ts';
import type { NewQuestion } from './ledger.ts';

/** How a call waits in the middle of its tool. */
export interface Suspension {
  readonly pending: Pending;
  /** After how long it goes on by itself. */
  readonly wakeMs?: number;
  readonly questions: readonly NewQuestion[];
  /** Checks an answer to one of its questions, by the handle of that; gives what is wrong with it. */
  readonly check: (handle: string, answer: unknown) => Promise<string | undefined>;
}
