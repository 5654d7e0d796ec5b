import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that the service saw, in the order in which it saw it. */
export interface Entry {
  readonly what: string;
  readonly [fact: string]: unknown;
}

export interface Payment {
  readonly invoice: string;
  readonly amount: number;
  readonly key?: string;
}

/** A service that moves money: what it recorded is the truth about each payment. It never pays twice for one `Idempotency-Key`. */
export interface PaymentService {
  readonly origin: string;
  readonly payments: readonly Payment[];
  readonly entries: readonly Entry[];
  /** Adds an entry of the one who runs the service. */
  readonly note: (entry: Entry) => void;
  readonly close: () => void;
}

export interface PaymentServiceOptions {
  /** Is called for each sign of the process before it is answered; `true` leaves it without an answer. */
  readonly onSign: (sign: string) => boolean | Promise<boolean>;
  /** How many payments are made without an answer: the connection breaks after the money was moved. */
  readonly lostAnswers?: number;
}

/** Starts the service on loopback. */
export async function startPaymentService({ onSign, lostAnswers = 0 }: PaymentServiceOptions): Promise<PaymentService> {
  const payments: Payment[] = [];
  const receipts = new Map<string, string>();
  const entries: Entry[] = [];
  let toLose = lostAnswers;

  const pay = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const order = (await readJson(request)) as { readonly invoice: string; readonly amount: number };
    const key = request.headers['idempotency-key'];
    const known = typeof key === 'string' ? receipts.get(key) : undefined;
    if (known !== undefined) {
      entries.push({ what: 'payment known by its key', ...order, key });
      return answer(response, { receipt: known });
    }
    payments.push({ ...order, ...(typeof key === 'string' && { key }) });
    const receipt = `receipt ${payments.length} of ${order.invoice}`;
    if (typeof key === 'string') receipts.set(key, receipt);
    entries.push({ what: 'payment', ...order, ...(key !== undefined && { key }), receipt });
    if (await onSign('paid')) return response.destroy();
    if (toLose > 0) {
      toLose -= 1;
      entries.push({ what: 'answer lost' });
      return response.destroy();
    }
    return answer(response, { receipt });
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const url = new URL(request.url ?? '', 'http://service');
    if (url.pathname === '/payments' && request.method === 'POST') return pay(request, response);
    if (url.pathname === '/payments') {
      const invoice = url.searchParams.get('invoice') ?? '';
      const place = payments.findIndex((payment) => payment.invoice === invoice);
      entries.push({ what: 'looked up', invoice, found: place >= 0 });
      return answer(response, place < 0 ? {} : { receipt: `receipt ${place + 1} of ${invoice}` });
    }
    const { sign, ...facts } = (await readJson(request)) as { readonly sign: string };
    entries.push({ what: sign, ...facts });
    return (await onSign(sign)) ? response.destroy() : answer(response, {});
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments,
    entries,
    note: (entry) => void entries.push(entry),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  return JSON.parse(Buffer.concat(await request.toArray()).toString());
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
