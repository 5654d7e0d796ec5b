import type { Failure, FailureKind } from 'toolpact';
import { makeFailure, whyUnreachable } from 'toolpact/internal';
import { loadForeign } from './load-foreign.ts';

/** The effect to assume for a call that got no answer. */
export interface AssumedEffect {
  readonly effect: 'none' | 'unknown';
  readonly unsafe: boolean;
}

interface Row {
  readonly codes: RegExp;
  readonly kind: FailureKind;
  readonly message: string;
  readonly retryable?: boolean;
  /** A server whose name could not be found, or that took no connection, has received nothing. */
  readonly isUnsent?: boolean;
}

const noServer = 'The server could not be reached.';
const late = 'The network gave up before the server answered.';
const nothing: AssumedEffect = { effect: 'none', unsafe: false };

/** The meaning of the codes and names of network errors; the first row that matches counts. */
const rows: readonly Row[] = [
  {
    codes: /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    kind: 'unreachable',
    message: noServer,
    isUnsent: true,
  },
  { codes: /^UND_ERR_CONNECT_TIMEOUT$/, kind: 'timeout', message: noServer, isUnsent: true },
  {
    codes: /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)\w+$/,
    kind: 'unreachable',
    message: 'The certificate of the server was rejected.',
    retryable: false,
    isUnsent: true,
  },
  { codes: /^(?:ETIMEDOUT|UND_ERR_(?:HEADERS|BODY)_TIMEOUT|AbortError|TimeoutError)$/, kind: 'timeout', message: late },
  { codes: /^(?:HPE_\w+|HTTPParserError)$/, kind: 'bad_response', message: 'The server does not answer in HTTP.' },
  {
    codes: /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/,
    kind: 'unreachable',
    message: 'The connection broke before an answer came.',
  },
  // With this and nothing else, the fetch of every platform reports that the network failed.
  { codes: /^TypeError$/, kind: 'unreachable', message: noServer },
];

/** Reads what `fetch` threw. The common network errors are read at once, because without a network nothing more can be loaded. */
export async function readFetchError(thrown: unknown, assumed: AssumedEffect): Promise<Failure> {
  const names = namesOf(thrown);
  for (const { codes, kind, message, retryable, isUnsent } of rows) {
    const cause = names.find((name) => codes.test(name));
    const why = message === noServer ? whyUnreachable(thrown) : undefined;
    const said = why === undefined ? message : `The server could not be reached: ${why}.`;
    if (cause !== undefined) return makeFailure(kind, { message: said, retryable, cause, ...(isUnsent === true ? nothing : assumed) });
  }
  return readThrown(thrown, assumed);
}

/** Reads any other thrown value. The module that reads it is loaded on demand, which fails only without a network. */
export async function readThrown(thrown: unknown, assumed: AssumedEffect = nothing): Promise<Failure> {
  const foreign = await loadForeign();
  return foreign === undefined
    ? makeFailure('unreachable', { message: noServer, ...assumed })
    : foreign.classify(thrown, { ...assumed, writes: assumed.unsafe, stopped: false });
}

/** The codes and names of an error and of its causes. A TypeError counts as one only where nothing says more. */
function namesOf(thrown: unknown): readonly string[] {
  const names: string[] = [];
  try {
    let error = thrown as { code?: unknown; cause?: unknown; name?: unknown } | null | undefined;
    for (let depth = 0; depth < 4 && typeof error === 'object' && error !== null; depth += 1) {
      const { code, name, cause } = error;
      for (const one of [code, name]) if (typeof one === 'string' && one !== 'TypeError' && one !== 'Error') names.push(one);
      error = cause as typeof error;
    }
    if (names.length === 0 && thrown instanceof TypeError) names.push('TypeError');
  } catch {
    // An error that cannot be looked at has no name.
  }
  return names;
}
