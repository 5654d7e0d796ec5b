import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolbox, toModelText } from 'toolpact';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { payInvoice, payments } from './tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'pay-once-'));
const path = join(folder, 'toolpact.db');
const store = sqliteStore({ path });
const toolbox = createToolbox([payInvoice], { store, report: () => undefined });
const first = await toolbox.call('pay_invoice', { invoice: 'A-1', amount: 20 });
const second = await toolbox.call('pay_invoice', { invoice: 'A-1', amount: 20 });
console.log(first.status, second.status, second.meta.replayed);

const both = await Promise.all([1, 2].map(() => toolbox.call('pay_invoice', { invoice: 'A-2', amount: 5 })));
console.log(both.map(({ status }) => status).join(' '));
console.log(toModelText(await toolbox.call('pay_invoice', { invoice: 'A-1', amount: 99 })).split('\n')[0]);
await store.close();

// A later process, with the same file.
const reopened = sqliteStore({ path });
const later = await createToolbox([payInvoice], { store: reopened }).call('pay_invoice', { invoice: 'A-1', amount: 20 });
console.log(later.meta.replayed, payments.map(({ invoice, key }) => `${invoice} ${key !== undefined}`).join(', '));
await reopened.close();
rmSync(folder, { recursive: true });
