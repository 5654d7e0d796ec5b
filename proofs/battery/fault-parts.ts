import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Values that the tools of the battery throw and return. */

export class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export class Account {
  readonly id = 'a-1';
  balance = 12;
  describe(): string {
    return `${this.id}: ${this.balance}`;
  }
}

/** Creates a handler that throws a new value on every call, because some frameworks write on it. */
export function throwing(make: () => unknown): () => never {
  return () => {
    throw make();
  };
}

export function withThrowingMessage<T extends object>(target: T): T {
  return Object.defineProperty(target, 'message', {
    get() {
      throw new Error('no message for you');
    },
  });
}

export function circular(): Record<string, unknown> {
  const value: Record<string, unknown> = { id: 7 };
  value.self = value;
  return value;
}

export function circularCause(): Error {
  const error = new Error('ledger does not add up');
  error.cause = error;
  return error;
}

let silent: Promise<string> | undefined;

/** Returns the address of a server that accepts requests and never answers. It does not keep the process alive. */
export function silentOrigin(): Promise<string> {
  silent ??= new Promise((resolve) => {
    const server = createServer(() => undefined);
    server.unref();
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  return silent;
}

/** Aborts its own request, as a tool does that has its own idea of how long it may take. */
export function aborted(origin: string): Promise<Response> {
  const inner = new AbortController();
  setTimeout(() => inner.abort(), 20);
  return fetch(origin, { signal: inner.signal });
}
