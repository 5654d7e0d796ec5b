import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { createToolbox, defineTool } from '../../src/index.ts';
import { onRestate } from '../../src/parts/engines/index.ts';

/** The steps of the tool that is killed, in order, and what they do to the outside world. */
export const crashSteps = [
  { name: 'price', effects: 'none' },
  { name: 'charge', effects: 'writes' },
  { name: 'reserve', effects: 'idempotent' },
  { name: 'ship', effects: 'writes' },
  { name: 'note', effects: 'none' },
] as const;

/** The moments at which its process dies: around what each step does. */
export const crashPoints: readonly string[] = crashSteps.flatMap(({ name }) =>
  ['before', 'inside', 'after'].map((moment) => `${moment} ${name}`),
);

/** Makes the toolbox of a caller and of its workers. `die` ends the process; the ledger is the truth about what happened. */
export function createCrashBox(ingress: readonly string[], service: string, ledger: string, die: () => void) {
  const write = (line: string): void => appendFileSync(ledger, `${line}\n`);
  const order = defineTool({
    name: 'order',
    description: 'Orders something, in five steps.',
    input: z.object({ id: z.string(), diesAt: z.string().optional(), pauseMs: z.number().optional() }),
    effects: 'writes',
    steps: true,
    timeoutMs: 60_000,
    idempotency: { key: ({ id }) => id },
    async run({ id, diesAt, pauseMs = 0 }, ctx) {
      const done: string[] = [];
      for (const { name, effects } of crashSteps) {
        const reach = (moment: string): void => {
          if (diesAt === `${moment} ${name}` && diesOnce(ledger, id)) die();
        };
        done.push(
          await ctx.step(
            name,
            async () => {
              reach('before');
              write(`${name} ${id}`);
              reach('inside');
              if (pauseMs > 0) await setTimeout(pauseMs);
              return name;
            },
            { effects },
          ),
        );
        reach('after');
      }
      return done;
    },
  });
  return createToolbox([order], { use: [onRestate({ ingress, service })], report: () => undefined });
}

/** Notes that a call has killed its process; false where it has done so before. */
function diesOnce(ledger: string, id: string): boolean {
  const line = `died ${id}`;
  if (readLedger(ledger).includes(line)) return false;
  appendFileSync(ledger, `${line}\n`);
  return true;
}

/** Reads what happened, in order. */
export function readLedger(ledger: string): readonly string[] {
  return readFileSync(ledger, 'utf8').split('\n');
}
