import { defineTool } from 'toolpact';
import { z } from 'zod';

/** One engine, with calls on it and the same entries by hand. */
export interface DurableLane {
  /** Makes a call with so many steps. */
  readonly call: (steps: number, effects: 'none' | 'writes') => Promise<unknown>;
  /** Writes so many entries, one after the other, without us. */
  readonly byHand: (entries: number) => Promise<unknown>;
  /** Counts the calls of five steps that so many workers answer in a second. */
  readonly withWorkers: (workers: number, seconds: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** A tool with as many steps as it is asked for. */
export const stepped = defineTool({
  name: 'stepped',
  description: 'Takes steps.',
  input: z.object({ steps: z.number(), effects: z.enum(['none', 'writes']) }),
  effects: 'writes',
  steps: true,
  timeoutMs: 120_000,
  async run({ steps, effects }, ctx) {
    for (let step = 0; step < steps; step += 1) await ctx.step(`step ${step}`, () => ({ receipt: `r-${step}` }), { effects });
    return steps;
  },
});

/** Calls again and again, many at once, until the time is over; gives how many ended. */
export async function callFor(seconds: number, inFlight: number, call: () => Promise<unknown>): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let ended = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < until) {
        await call();
        ended += 1;
      }
    }),
  );
  return ended;
}

/** Gives the data of a call that must not fail. */
export function assertOk(outcome: { readonly status: string }): void {
  if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome));
}
