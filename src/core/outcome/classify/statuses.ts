import type { Reading } from './read-meaning.ts';
import type { Verdict } from './vocabulary.ts';

/** Reads an HTTP status, or one of the mail and file-transfer replies that share its number space. */
export function readStatus(status: number): Reading | undefined {
  const exact = httpStatuses.get(status);
  if (exact !== undefined) return exact;
  if (status >= 500) return status < 600 ? { verdict: 'upstream', weight: 45 } : undefined;
  if (status >= 400) return { verdict: 'invalid_input', weight: 20 };
  return status >= 300 ? { verdict: 'bad_response', weight: 30 } : undefined;
}

/** Reads a numeric JSON-RPC code. */
export function readRpcCode(code: number): Reading | undefined {
  return rpcCodes.get(code);
}

/** Reads a gRPC status number. */
export function readGrpcCode(code: number): string | undefined {
  return grpcNames.split(' ')[code - 1];
}

/** Reads a five-character SQLSTATE, exactly or by its class. */
export function readSqlState(state: string): Reading | undefined {
  return sqlStates.get(state) ?? sqlStates.get(state.slice(0, 2));
}

// Weights are on one scale with the vocabulary's: a bare 400, 403 or 500 says little, a 404 says what happened.
const httpStatuses = numbers([
  ['invalid_input', 31, '400 411 417 422'],
  ['unauthenticated', 60, '401 407 419 440 511 530 534 535'],
  ['budget_exhausted', 60, '402 507'],
  ['forbidden', 42, '403'],
  ['not_found', 60, '404 410 550'],
  ['unsupported', 60, '405 406 415 426 501 505'],
  ['timeout', 60, '408 504 524 598 599'],
  ['conflict', 60, '409 412 428'],
  ['too_large', 75, '413 414 431 552'],
  ['invalid_input', 45, '416 553'],
  ['rate_limited', 60, '420 429 509'],
  ['conflict+', 60, '423 449'],
  ['upstream-', 45, '424'],
  ['not_ready', 60, '425'],
  ['denied', 60, '451 554'],
  ['unauthenticated', 20, '498'],
  ['cancelled', 60, '499'],
  ['unreachable-', 60, '525 526'],
]);

const rpcCodes = numbers([
  ['bad_response', 40, '-32700'],
  ['invalid_input', 40, '-32600 -32602'],
  ['unsupported', 60, '-32601'],
  ['upstream', 40, '-32603'],
  ['unreachable', 40, '-32000'],
  ['timeout', 40, '-32001'],
  ['not_found', 40, '-32002'],
  ['rate_limited', 40, '-32005'],
]);

const grpcNames =
  'CANCELLED SERVER_ERROR INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ' +
  'TRANSACTION_ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED';

const sqlStates = new Map<string, Reading>(
  rows([
    ['unreachable', 70, '08'],
    ['unsupported', 70, '0A'],
    ['invalid_input', 66, '07 21 22 23 42 44 2B'],
    ['too_large', 70, '22001 54 54000'],
    ['conflict', 70, '23505 23503 23001 23P01 42P07 42710 42701 42P04 42P06'],
    ['conflict', 50, '23000'],
    ['conflict+', 76, '40 55P03'],
    ['internal', 50, '24 25 26 34 XX'],
    ['forbidden', 70, '25006 42501'],
    ['unauthenticated', 70, '28'],
    ['not_found', 70, '42P01 42703 42883 42704 3D 3F 02'],
    ['rate_limited', 70, '53300'],
    ['upstream', 70, '53 58 57P01 57P02 57P05'],
    ['budget_exhausted', 70, '53100'],
    ['conflict', 60, '55'],
    ['cancelled', 52, '57014'],
    ['not_ready', 70, '57P03'],
    ['timeout', 70, 'HYT00 HYT01'],
  ]),
);

function numbers(table: readonly [Verdict, number, string][]): Map<number, Reading> {
  return new Map([...rows(table)].map(([key, reading]) => [Number(key), reading]));
}

function* rows(table: readonly [Verdict, number, string][]): Generator<[string, Reading]> {
  for (const [verdict, weight, keys] of table) {
    for (const key of keys.split(' ')) yield [key, { verdict, weight }];
  }
}
