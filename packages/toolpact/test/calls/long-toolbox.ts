import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { createToolbox, defineTool } from '../../src/index.ts';
import type { Store } from '../../src/ports/index.ts';

/** Short, so that a killed process is soon known to be gone; long enough for a machine that is busy. */
const leaseMs = 1_500;

/** Makes tools whose calls wait, over a store that several processes share. Each run writes a line into the ledger, which stays whatever happens. */
export function createLongToolbox(store: Store, ledger: string) {
  const input = z.object({ id: z.string(), ms: z.number().optional() });
  const common = { description: 'Takes long.', input, deferAfterMs: 1, timeoutMs: 600_000 };
  const run = async ({ id, ms }: z.infer<typeof input>, progress: (said: object) => void): Promise<{ id: string }> => {
    appendFileSync(ledger, `${id}\n`);
    progress({ message: `working on ${id}`, done: 1, total: 4 });
    await new Promise((resolve) => setTimeout(resolve, ms ?? 600_000));
    return { id };
  };
  const read = defineTool({ ...common, name: 'read', effects: 'none', run: (given, { progress }) => run(given, progress) });
  const write = defineTool({ ...common, name: 'write', run: (given, { progress }) => run(given, progress) });
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input,
    approval: true,
    timeoutMs: 600_000,
    run: (given, { progress }) => run(given, progress),
  });
  return createToolbox([read, write, pay], { store, calls: { leaseMs }, report: () => undefined });
}
