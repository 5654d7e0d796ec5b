// Makes the calls that it is sent, one line each, and reports how they ended: pause-worker.ts <store and ledger as JSON>
import { openSync, readFileSync, writeSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';
import { openStore } from '../../packages/toolpact/test/stores/open-store.ts';
import type { PauseOrder, PauseReport, PauseSettings } from './run-pauses.ts';

const { store: address, ledger, leaseMs } = JSON.parse(process.argv[2] ?? '{}') as PauseSettings;
const file = openSync(ledger, 'a');
const common = { description: 'Pays.', input: z.object({ id: z.string(), beforeMs: z.number(), afterMs: z.number() }) };
const keyed = { idempotency: { key: ({ id }: { id: string }) => id } };
/** The ledger lies outside of the store: a line in it is money that was sent. */
const send = (tool: string, id: string) => void writeSync(file, `${tool} ${id} ${process.pid}\n`);
const lookUp = (tool: string) => ({
  reconcile: ({ id }: { id: string }) =>
    readFileSync(ledger, 'utf8').includes(`${tool} ${id} `) ? { effect: 'applied' as const, data: 'found' } : { effect: 'none' as const },
});

const steps = defineTool({
  ...common,
  ...keyed,
  ...lookUp('steps'),
  name: 'steps',
  steps: true,
  async run({ id, beforeMs, afterMs }, { step }) {
    await delay(beforeMs);
    await step('send', () => send('steps', id));
    await delay(afterMs);
    return 'sent';
  },
});
const blind = defineTool({
  ...common,
  ...keyed,
  name: 'blind',
  steps: true,
  async run({ id, beforeMs, afterMs }, { step }) {
    await delay(beforeMs);
    await step('send', () => send('blind', id));
    await delay(afterMs);
    return 'sent';
  },
});
const outside = defineTool({
  ...common,
  ...keyed,
  ...lookUp('outside'),
  name: 'outside',
  async run({ id, beforeMs, afterMs }) {
    await delay(beforeMs);
    send('outside', id);
    await delay(afterMs);
    return 'sent';
  },
});

const store = openStore(address);
const toolbox = createToolbox([steps, blind, outside], { store, calls: { leaseMs }, report: () => undefined });
const report = (line: PauseReport) => void process.stdout.write(`${JSON.stringify(line)}\n`);

await store.get({ space: 'claim', tenant: 't', key: 'none' });
report({ type: 'ready' });
for await (const line of createInterface({ input: process.stdin })) {
  const { tool, ...args } = JSON.parse(line) as PauseOrder;
  void toolbox.answer({ name: tool, args }, { timeoutMs: 30_000 }).then((outcome) => {
    const effect = outcome.status === 'error' ? outcome.error.effect : 'applied';
    report({ type: 'answer', tool, id: args.id, status: outcome.status, effect });
  });
}
await store.close();
