import { type FailureKind, ToolpactError } from 'toolpact';
import { httpStatus } from 'toolpact/extend';
import { isFailureKind, makeFailure } from 'toolpact/internal';
import { checkFields, checkForm, createFaultDraw, type FaultTarget, isDelay } from './fault-plan.ts';
import { sampleResponse, strangePage } from './fault-responses.ts';
import { pause, untilAborted } from './fault-run.ts';

/** A fault that strikes a request: exactly one of these. */
export type FetchFault = FaultTarget & {
  /** Whether the request is never sent, or reaches the other side, which does its work, and only the answer is lost. @default 'before' */
  readonly at?: 'before' | 'after';
} & (KindOfAnswer | StruckAnswer);

type KindOfAnswer = {
  /** The answer that usually means a failure of this kind. */
  readonly kind: FailureKind;
  readonly retryAfterMs?: number;
};

type StruckAnswer =
  | {
      /** This status, with the headers and the body that real servers send with it. */
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | {
      /** The connection is refused, or breaks, or the name of the host is not known. */
      readonly hangUp: true | keyof typeof breaks;
    }
  | {
      /** Nothing comes, until the request is aborted. */
      readonly hang: true;
    }
  | {
      /** How many milliseconds later the answer comes. */
      readonly slowMs: number;
    }
  | {
      /** The headers come at once; each kilobyte of the body takes this many milliseconds more. */
      readonly slowBodyMs: number;
    }
  | {
      /** The body ends in its middle: as if it were whole, which makes broken JSON, or by a broken connection. */
      readonly truncated: true | 'hang-up';
    }
  | {
      /** A page of HTML with status 200 where JSON was promised. */
      readonly html: true;
    };

type ReadyFault = FaultTarget & Pick<FetchFault, 'at'> & StruckAnswer;

/** The errors of Node's `fetch` when a connection fails, by system code. */
const breaks = {
  ECONNREFUSED: 'connect ECONNREFUSED 127.0.0.1:443',
  ECONNRESET: 'read ECONNRESET',
  ENOTFOUND: 'getaddrinfo ENOTFOUND api.example.com',
  ETIMEDOUT: 'connect ETIMEDOUT 203.0.113.1:443',
  UND_ERR_SOCKET: 'other side closed',
} as const;

/** Kinds that usually come in another way than by the status of the catalogue. */
const causes: Partial<Record<FailureKind, StruckAnswer>> = {
  unreachable: { hangUp: 'ECONNREFUSED' },
  interrupted: { hangUp: 'UND_ERR_SOCKET' },
  bad_response: { html: true },
  upstream: { status: 500 },
};

/** Creates a `fetch` that faults strike. Requests are counted by their address, without the query. */
export function faultyFetch(
  fetch: typeof globalThis.fetch,
  plan: FetchFault | readonly FetchFault[],
  seed: number | string,
): typeof globalThis.fetch {
  const draw = createFaultDraw([plan].flat().map(toReady), seed);
  return async (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : String(input));
    const fault = draw.next(`${origin}${pathname}`);
    if (fault === undefined) return fetch(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    return struck(fault, () => fetch(input, init), signal);
  };
}

/** The values that a field of a fault may hold. */
const forms: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, wanted: string]>> = {
  kind: [isFailureKind, 'a kind of failure'],
  status: [(value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599, '200 to 599'],
  hangUp: [(value) => value === true || Object.hasOwn(breaks, String(value)), `true or one of ${Object.keys(breaks).join(', ')}`],
  hang: [(value) => value === true, 'true'],
  slowMs: [isDelay, 'milliseconds from 0'],
  slowBodyMs: [isDelay, 'milliseconds from 0'],
  truncated: [(value) => value === true || value === 'hang-up', "true or 'hang-up'"],
  html: [(value) => value === true, 'true'],
};
const companions: Readonly<Record<string, readonly string[]>> = { kind: ['retryAfterMs'], status: ['headers', 'body'] };

/** Turns a kind into what is seen of it on a wire; throws at once for a fault that names no effect, or two, or that could never strike. */
function toReady(fault: FetchFault): ReadyFault {
  const form = checkForm(fault, forms, 'a fault of fetch');
  checkFields(fault, [form, 'at', ...(companions[form] ?? [])], 'a fault of fetch');
  if (!['before', 'after'].includes(fault.at ?? 'before'))
    throw new ToolpactError('invalid_option', '`at` of a fault of fetch must be before or after', { option: 'at' });
  const name = [fault.tool ?? []].flat().find((one) => !one.includes('://'));
  if (name !== undefined)
    throw new ToolpactError(
      'invalid_option',
      `a fault of fetch is meant for "${name}", which is no address; addresses begin with https://`,
    );
  if (!('kind' in fault)) return fault;
  const { kind, retryAfterMs, ...rest } = fault;
  const status = httpStatus(makeFailure(kind, { message: kind, effect: 'none' }));
  const headers = retryAfterMs === undefined ? {} : { 'retry-after': `${retryAfterMs / 1000}` };
  return { ...rest, ...(causes[kind] ?? { status, headers }) };
}

async function struck(fault: ReadyFault, send: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  signal?.throwIfAborted();
  if ('slowMs' in fault) {
    await pause(fault.slowMs, signal);
    return send();
  }
  if ('slowBodyMs' in fault) return withBody(await send(), (bytes) => slowly(bytes, fault.slowBodyMs, signal));
  if ('truncated' in fault) return withBody(await send(), (bytes) => cut(bytes, fault.truncated));
  // The sender gets no answer, although the other side has done its work.
  if (fault.at === 'after') await (await send()).body?.cancel();
  if ('hang' in fault) return untilAborted(signal);
  if ('hangUp' in fault) throw broken(fault.hangUp === true ? 'UND_ERR_SOCKET' : fault.hangUp);
  if ('html' in fault) return new Response(strangePage.body, { headers: strangePage.headers });
  const { status, headers, body } = fault;
  const sample = sampleResponse(status);
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : (body ?? sample.body), { status, headers: { ...sample.headers, ...headers } });
}

function broken(code: keyof typeof breaks): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(breaks[code]), { code }) });
}

async function withBody(response: Response, body: (bytes: Uint8Array) => AsyncGenerator<Uint8Array>): Promise<Response> {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // The length of what was meant to come; Node would wait for the rest.
  headers.delete('content-length');
  headers.delete('content-encoding');
  const chunks = body(new Uint8Array(await response.arrayBuffer()));
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
  return new Response(stream, { status, statusText, headers });
}

async function* slowly(bytes: Uint8Array, ms: number, signal: AbortSignal | null | undefined): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1024) {
    await pause(ms, signal);
    yield bytes.subarray(at, at + 1024);
  }
}

async function* cut(bytes: Uint8Array, how: true | 'hang-up'): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, Math.floor(bytes.length / 2));
  if (how === 'hang-up')
    throw new TypeError('terminated', { cause: Object.assign(new Error(breaks.UND_ERR_SOCKET), { code: 'UND_ERR_SOCKET' }) });
}
