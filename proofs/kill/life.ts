import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createToolbox, defineTool } from 'toolpact';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { z } from 'zod';
import type { KillTool, Life, Order, Turn, Variant } from './host.ts';
import { readWords } from './judge.ts';

/** Facts that the runner hands to each process. */
export interface LifeFacts {
  readonly number: number;
  readonly variant: Variant;
  readonly service: string;
  readonly asks: boolean;
  readonly mails: boolean;
  readonly isApproved: boolean;
  readonly folder: string;
  readonly port: number;
  readonly postgres: string;
  readonly restate: { readonly ingress: string; readonly admin: string };
}

/** Longer than a process here stands still, and short enough for a table of hundreds of kills. */
const leaseMs = 2000;

/** Creates the tools and services of a host in this process. */
export function createLife(facts: LifeFacts): Life & { readonly tell: (sign: string, more?: object) => Promise<void> } {
  const { service, mails, variant, folder } = facts;
  const tell = async (sign: string, more: object = {}): Promise<void> => {
    await fetch(service, { method: 'POST', body: JSON.stringify({ sign, life: facts.number, ...more }) });
  };
  const charge = async ({ invoice, amount }: Order, key?: string): Promise<string> => {
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) };
    const response = await fetch(`${service}/payments`, { method: 'POST', headers, body: JSON.stringify({ invoice, amount }) });
    return ((await response.json()) as { readonly receipt: string }).receipt;
  };
  const find = async (invoice: string): Promise<string | undefined> => {
    const response = await fetch(`${service}/payments?invoice=${invoice}`);
    return ((await response.json()) as { readonly receipt?: string }).receipt;
  };
  const pay = async (order: Order, key?: string): Promise<string> => {
    await tell('pay begins', key === undefined ? {} : { key });
    const receipt = await charge(order, key);
    await tell('pay answered', { receipt });
    return receipt;
  };
  const mail = async (): Promise<string> => {
    await tell('mail begins');
    return 'mail sent';
  };

  const input = z.object({ invoice: z.string(), amount: z.number() });
  const tools: readonly KillTool[] = [
    { name: 'pay', description: 'Pays an invoice.', input, run: pay },
    { name: 'mail', description: 'Mails that an invoice is being paid.', input, run: mail },
  ];

  const openToolbox = () => {
    const guarded = defineTool({
      name: 'pay',
      description: 'Pays an invoice.',
      input,
      steps: true,
      idempotency: { key: ({ invoice }) => invoice },
      run: (order, { step }) => step('pay', () => pay(order)),
      ...(variant !== 'unsure' && {
        reconcile: async ({ invoice }: Order) => {
          const receipt = await find(invoice);
          return receipt === undefined ? { effect: 'none' as const } : { effect: 'applied' as const, data: receipt };
        },
      }),
    });
    const mailing = defineTool({
      name: 'mail',
      description: 'Mails that an invoice is being paid.',
      input,
      effects: 'idempotent',
      run: () => mail(),
    });
    const store = sqliteStore({ path: join(folder, 'toolpact.db') });
    return createToolbox([guarded, mailing], { store, calls: { leaseMs }, report: () => undefined });
  };

  return {
    ...facts,
    tools,
    openToolbox: openToolbox as Life['openToolbox'],
    tell,
    approvalAsked: () => tell('approval asked'),
    model: {
      async next(results): Promise<Turn> {
        const ofPay = results.filter((text) => text !== 'mail sent');
        if (results.length > 0) await tell('model is told', { results });
        // A failure that does not say that it may have taken effect is tried once more, as models do.
        const triesAgain = ofPay.length === 1 && readWords(ofPay[0] ?? '') === 'failed';
        if (results.length > 0 && !triesAgain) return { text: 'That is all.' };
        await tell('model decides');
        const args = { invoice: 'A-1', amount: 20 };
        const names = mails && !triesAgain ? (['pay', 'mail'] as const) : (['pay'] as const);
        return { calls: names.map((name) => ({ id: `call_${randomUUID().slice(0, 8)}`, name, args })) };
      },
    },
  };
}
