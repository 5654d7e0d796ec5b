import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bank without idempotency keys: what it recorded is the truth about each invoice. */
export interface Bank {
  readonly url: string;
  /** Resolves once an invoice is paid whose process is to be killed. */
  readonly paidUnanswered: (invoice: string) => Promise<void>;
  /** How often it was asked to pay an invoice, and how often it did. */
  readonly asked: (invoice: string) => number;
  readonly paid: (invoice: string) => number;
  readonly close: () => void;
}

/**
 * Starts it on loopback. For an invoice that begins with `busy` it says once that it is, and when to come back; for one that begins with `lost` it
 * pays and breaks the connection, for one that begins with `killed` it pays and does not answer.
 */
export async function startBank(): Promise<Bank> {
  const asked: string[] = [];
  const paid: string[] = [];
  const unanswered = new Map<string, PromiseWithResolvers<void>>();
  const unansweredOf = (invoice: string): PromiseWithResolvers<void> => {
    const known = unanswered.get(invoice) ?? Promise.withResolvers<void>();
    unanswered.set(invoice, known);
    return known;
  };
  const count = (list: readonly string[], invoice: string): number => list.filter((one) => one === invoice).length;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { invoice } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { readonly invoice: string };
    asked.push(invoice);
    if (invoice.startsWith('busy') && count(asked, invoice) === 1) return response.writeHead(429, { 'retry-after': '1' }).end();
    paid.push(invoice);
    if (invoice.startsWith('lost')) return response.destroy();
    if (invoice.startsWith('killed')) return unansweredOf(invoice).resolve();
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ receipt: `receipt of ${invoice}` }));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paidUnanswered: (invoice) => unansweredOf(invoice).promise,
    asked: (invoice) => count(asked, invoice),
    paid: (invoice) => count(paid, invoice),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
