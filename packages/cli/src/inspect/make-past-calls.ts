import type { ServedToolbox } from '@toolpact/server';
import { type ToolFault, withFaults } from '@toolpact/testing';
import type { CallContext } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { systemClock } from 'toolpact/internal';
import type { LoadedTools } from '../load/load-tools.ts';
import { wireToolbox } from '../load/wire-toolbox.ts';
import type { Settings } from '../settings/read-settings.ts';

/** A call of the sample tools, and what goes wrong in it. */
interface PastCall {
  readonly tool: string;
  readonly args: object;
  readonly context?: CallContext<never>;
  readonly fault?: ToolFault;
  /** The decision of a person where the call waits for one; then it is made again. */
  readonly decision?: 'approve' | 'deny';
  /** Its caller stops it then. */
  readonly stopAfterMs?: number;
}

const morning = { runId: 'run_invoices', agentName: 'bookkeeper', userId: 'ann', conversationId: 'conversation_7' };
const noon = { runId: 'run_market', agentName: 'analyst', userId: 'ben', conversationId: 'conversation_8' };

const evening = { runId: 'run_trip', agentName: 'planner', userId: 'cleo', conversationId: 'conversation_9' };

/** Runs of agents in which everything occurs that can become of a call: each recovery, approvals, repetitions, an end by time and by hand. */
const pastCalls: readonly PastCall[] = [
  { tool: 'add', args: { a: 120, b: 130 }, context: morning },
  { tool: 'pay_invoice', args: { invoice: 'INV-1', amount: 40 }, context: { ...morning, idempotencyKey: 'INV-1' } },
  // The same payment once more: answered with the first.
  { tool: 'pay_invoice', args: { invoice: 'INV-1', amount: 40 }, context: { ...morning, idempotencyKey: 'INV-1' } },
  { tool: 'pay_invoice', args: { invoice: 'INV-2', amount: 180 }, context: morning, decision: 'approve' },
  { tool: 'pay_invoice', args: { invoice: 'INV-3', amount: 9_900 }, context: morning, decision: 'deny' },
  {
    tool: 'pay_invoice',
    args: { invoice: 'INV-4', amount: 75 },
    context: morning,
    fault: { kind: 'interrupted', message: 'The process was stopped before the bank answered.', at: 'after' },
  },
  { tool: 'add', args: { a: 2 }, context: noon },
  { tool: 'stock_quote', args: { symbol: 'ACME' }, context: noon },
  {
    tool: 'stock_quote',
    args: { symbol: 'GLOBEX' },
    context: noon,
    fault: { throws: () => new Response('token expired', { status: 401 }) },
  },
  {
    tool: 'stock_quote',
    args: { symbol: 'INITECH' },
    context: noon,
    fault: { kind: 'bad_response', message: 'The service returned no price.' },
  },
  {
    tool: 'add',
    args: { a: 7, b: 8 },
    context: noon,
    fault: { call: 1, throws: () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) },
  },
  {
    tool: 'add',
    args: { a: 1, b: 1 },
    context: noon,
    fault: { throws: (quote?: { readonly price: number }) => (quote as { readonly price: number }).price },
  },
  { tool: 'crawl_site', args: { pages: 2 }, context: { ...noon, timeoutMs: 250 } },
  { tool: 'crawl_site', args: { pages: 3 }, context: noon, stopAfterMs: 150 },
  { tool: 'crawl_site', args: { pages: 1 }, context: noon },
  // A service that is down, until its circuit opens and calls are not even tried.
  ...['Kyoto', 'Oslo', 'Lima', 'Rome', 'Cairo', 'Perth'].map((city) => ({ tool: 'weather', args: { city }, context: evening })),
  // Fails in its second step; run again from there, it works.
  { tool: 'book_trip', args: { city: 'Kyoto', nights: 3 }, context: evening },
  // Left waiting, for the inbox.
  { tool: 'pay_invoice', args: { invoice: 'INV-7', amount: 250 }, context: morning },
];

/** Switches on, for the samples, the limits that are off otherwise, so that the page of health has something to show. What the user has set counts. */
export function withSampleLimits(settings: Settings): Settings {
  const { rateLimit = 2_000, concurrency = 20, setBy } = settings;
  return { ...settings, rateLimit, concurrency, circuitBreaker: settings.circuitBreaker || !setBy.has('circuitBreaker') };
}

/** Calls the sample tools in every way, so that the page of a first start has something to show. Does nothing where calls are recorded already. */
export async function makePastCalls(loaded: LoadedTools, settings: Settings, store: Store): Promise<void> {
  // A toolbox of its own, because nothing of this belongs in the log.
  const toolbox = wireToolbox(loaded, settings, store);
  const newest = await toolbox.calls?.list({ limit: 1 });
  if (newest === undefined || newest.calls.length > 0) return;
  for (const call of pastCalls) await makePastCall(toolbox, call);
}

async function makePastCall(toolbox: ServedToolbox, call: PastCall): Promise<void> {
  const { tool, args, context = {}, fault, decision, stopAfterMs } = call;
  const struck = fault === undefined ? toolbox : withFaults(toolbox, fault);
  const caller = new AbortController();
  if (stopAfterMs !== undefined) systemClock.after(stopAfterMs, () => caller.abort(), { background: true });
  const outcome = await struck.answer({ name: tool, args }, { ...context, signal: caller.signal });
  if (decision === undefined || outcome.status !== 'pending') return;
  const reason = decision === 'deny' ? { reason: 'Too much for one invoice.' } : {};
  await toolbox.approvals?.decide(outcome.pending.handle, decision, { by: 'ann', ...reason });
  await toolbox.answer({ name: tool, args }, context);
}
