import type { Entry } from './payment-service.ts';

/** The result of one run. */
export interface Cell {
  /** How often the invoice was paid. */
  readonly paid: number;
  /** How the run ended: with an answer, with an error that the program saw, or not at all. */
  readonly end: 'answered' | 'failed' | 'stuck';
  /** The last news of the payment for the model, or for the program if the run failed. */
  readonly told: 'paid' | 'failed' | 'unknown' | 'nothing';
  /** Whether that is the truth. That nobody knows is the truth as long as it is said. */
  readonly isTrue: boolean;
  readonly processes: number;
  /** How often a process stood still and was started again, where it did. */
  readonly stalls?: number;
  readonly ms: number;
  /** The words, unless they were a receipt. */
  readonly words?: string;
}

/** Reads what was said of a payment. */
export function readWords(text: string): Cell['told'] {
  if (/receipt \d+ of A-1/.test(text)) return 'paid';
  return /may have (taken effect|been|already)|might have|effect unknown|not known whether|check before|verify before/i.test(text)
    ? 'unknown'
    : 'failed';
}

/** Judges a run by what the service recorded. */
export function judge(entries: readonly Entry[], { processes, ms }: Pick<Cell, 'processes' | 'ms'>): Cell {
  const paid = entries.filter(({ what, invoice }) => what === 'payment' && invoice === 'A-1').length;
  const failure = entries.findLast(({ what }) => what === 'run fails');
  const isEnded = entries.some(({ what }) => what === 'run ends');
  const end = isEnded ? 'answered' : failure !== undefined ? 'failed' : 'stuck';
  const results = entries.findLast(({ what }) => what === 'model is told')?.results as readonly string[] | undefined;
  const words = isEnded ? results?.filter((text) => text !== 'mail sent').at(-1) : (failure?.message as string | undefined);
  const told = words === undefined || words === '' ? 'nothing' : readWords(words);
  const isTrue = told === 'unknown' || (told === 'paid' && paid === 1) || (told === 'failed' && paid === 0);
  const stalls = entries.filter(({ what }) => what === 'stood still').length;
  const facts: Cell = { paid, end, told, isTrue, processes, ...(stalls > 0 && { stalls }), ms };
  return { ...facts, ...(told !== 'paid' && words !== undefined && { words: words.slice(0, 300) }) };
}

/** Whether a run did what Toolpact promises not to do: pay twice, or say something about a payment that is not true. */
export function breaksPromise({ paid, end, told, isTrue }: Cell): boolean {
  return paid > 1 || (end === 'answered' && told !== 'nothing' && !isTrue);
}
