import { call, good, ledger, newError, type Row, transfer } from './fault.ts';
import { aborted, circularCause, HttpError, silentOrigin, throwing, withThrowingMessage } from './fault-parts.ts';

/** A text that only shows that the framework itself stumbled over what was thrown. */
const stumbled = /cannot (read|define|set|add|assign|convert)|not (iterable|extensible|an object)|null is not|undefined is not/i;
/** For what carries no message: that it failed is all there is to say. */
const failed = /error|fail|wrong|unexpected|undefined|null|object/i;

export const thrown: readonly Row[] = [
  ['sync throw Error', transfer(throwing(newError)), call(good), { kind: 'failed', says: ledger }],
  ['async reject Error', transfer(async () => throwing(newError)()), call(good), { kind: 'failed', says: ledger }],
  ['throw string', transfer(throwing(() => 'ledger does not add up')), call(good), { kind: 'failed', says: ledger }],
  ['throw undefined', transfer(throwing(() => undefined)), call(good), { kind: 'internal', says: failed, misleads: stumbled }],
  ['throw null', transfer(throwing(() => null)), call(good), { kind: 'internal', says: failed, misleads: stumbled }],
  [
    'throw frozen object',
    transfer(throwing(() => Object.freeze({ message: 'ledger does not add up' }))),
    call(good),
    { kind: 'failed', says: ledger },
  ],
  [
    'throw frozen Error',
    transfer(throwing(() => Object.freeze(new Error('ledger does not add up')))),
    call(good),
    { kind: 'failed', says: ledger },
  ],
  [
    'throw object whose message getter throws',
    transfer(throwing(() => withThrowingMessage({}))),
    call(good),
    { kind: 'internal', says: failed, misleads: stumbled },
  ],
  [
    'throw Error whose message getter throws',
    transfer(throwing(() => withThrowingMessage(new Error()))),
    call(good),
    { kind: 'internal', says: failed, misleads: stumbled },
  ],
  ['throw Error with circular cause', transfer(throwing(circularCause)), call(good), { kind: 'failed', says: ledger }],
  [
    'throw AggregateError',
    transfer(throwing(() => new AggregateError([new HttpError(503, 'replica down')], 'all replicas failed'))),
    call(good),
    { kind: 'upstream', says: /replica/ },
  ],
];

export const upstream: readonly Row[] = [
  [
    'HttpError 429 + retry-after',
    transfer(throwing(() => new HttpError(429, '429: slow down, too many requests', { 'retry-after': '7' }))),
    call(good),
    { kind: 'rate_limited', says: /429|too many|slow down|rate.?limit/i },
  ],
  [
    'HttpError 401',
    transfer(throwing(() => new HttpError(401, '401: the credential was refused'))),
    call(good),
    { kind: 'unauthenticated', says: /401|credential|unauth/i },
  ],
  [
    'HttpError 404',
    transfer(throwing(() => new HttpError(404, '404: no such account'))),
    call(good),
    { kind: 'not_found', says: /404|no such|not.found/i },
  ],
  [
    'HttpError 500',
    transfer(throwing(() => new HttpError(500, '500: the ledger service is down'))),
    call(good),
    { kind: 'upstream', says: /500|ledger|upstream/ },
  ],
  [
    'fetch closed port (ECONNREFUSED)',
    transfer(() => fetch('http://127.0.0.1:2/pay')),
    call(good),
    { kind: 'unreachable', says: /refused|ECONNREFUSED/ },
  ],
  [
    'fetch unknown host (ENOTFOUND)',
    transfer(() => fetch('http://no-such-host.invalid/')),
    call(good),
    { kind: 'unreachable', says: /no-such-host|ENOTFOUND|EAI_AGAIN/ },
  ],
  [
    'fetch + real AbortSignal.timeout(100)',
    transfer(async () => fetch(await silentOrigin(), { signal: AbortSignal.timeout(100) })),
    call(good),
    { kind: 'timeout', says: /time(d )?.?out|did not (answer|respond)|too long/i },
  ],
  [
    "tool's own AbortError (inner AbortController)",
    transfer(async () => aborted(await silentOrigin())),
    call(good),
    { kind: 'timeout', says: /abort|time(d )?.?out|stopped/i },
  ],
];

export const time: readonly Row[] = [
  [
    'never-resolving promise',
    transfer(() => new Promise(() => undefined)),
    call(good),
    { kind: 'timeout', says: /time(d )?.?out|300 ms|in time/i },
    { timeoutMs: 300, isError: false },
  ],
  [
    'blocks the event loop 1 s',
    transfer(() => {
      // Blocks as a loop would, and takes no processor time.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      return 'blocked and done';
    }),
    call(good),
    { says: /blocked and done/ },
    { alone: true },
  ],
];
