import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { defineTool } from 'toolpact';
import { z } from 'zod';

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

/** Options of the tool that is killed. */
export interface CrashToolParts {
  readonly name?: string;
  /** The file that is the truth about what happened. */
  readonly ledger: string;
  /** Ends the process. */
  readonly die?: () => void;
  readonly deferAfterMs?: number;
}

/** Makes a tool of five steps, each of which writes a line into the ledger. */
export function createCrashTool({ name: toolName = 'order', ledger, die = () => undefined, deferAfterMs }: CrashToolParts) {
  const write = (line: string): void => appendFileSync(ledger, `${line}\n`);
  return defineTool({
    name: toolName,
    description: 'Orders something, in five steps.',
    input: z.object({ id: z.string(), diesAt: z.string().optional(), pauseMs: z.number().optional(), canTell: z.boolean().optional() }),
    effects: 'writes',
    steps: true,
    timeoutMs: 120_000,
    idempotency: { key: ({ id }) => id },
    ...(deferAfterMs !== undefined && { deferAfterMs }),
    async run({ id, diesAt, pauseMs = 0, canTell = false }, ctx) {
      const done: string[] = [];
      for (const { name, effects } of crashSteps) {
        const reach = (moment: string): void => {
          if (diesAt === `${moment} ${name}` && diesOnce(ledger, id)) die();
        };
        const reconcile = () =>
          readLedger(ledger).includes(`${name} ${id}`) ? { effect: 'applied' as const, data: name } : { effect: 'none' as const };
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
            { effects, ...(canTell && { reconcile }) },
          ),
        );
        reach('after');
      }
      return done;
    },
  });
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
