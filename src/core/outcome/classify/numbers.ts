import type { Reading } from './read-meaning.ts';
import type { Verdict } from './vocabulary.ts';

/** Reads an HTTP status or one of the replies of mail and file servers in its number space, a number of coded responses, a JSON-RPC code, a name of an exception that a tool contract documents, or a SQLSTATE exactly or by its class. */
export function readNumber(key: number | string): Reading | undefined {
  return (
    meanings.get(`${key}`) ?? meanings.get(typeof key === 'number' ? `${Math.floor(key / 100)}xx` : key.length === 5 ? key.slice(0, 2) : '')
  );
}

// Weights are on one scale with the vocabulary's: a bare 400, 403 or 500 says little, a 404 says what happened.
const table: readonly [Verdict, number, string][] = [
  ['unknown_tool', 50, '4001'],
  ['not_configured', 50, '5001'],
  ['all_failed', 50, '5008'],
  ['bad_response', 30, '3xx'],
  ['invalid_input', 20, '4xx'],
  ['upstream', 45, '5xx 424 5002 5006 5007 -32603'],
  ['invalid_input', 31, '400 422'],
  ['unauthenticated', 60, '401 407 530 535 28'],
  ['budget_exhausted', 60, '402 507 53100'],
  ['forbidden', 42, '403'],
  ['not_found', 60, '404 410 4005 42P01 42703 42883 3D'],
  ['not_found', 40, '550 -32002'],
  ['unsupported', 60, '405 406 415 501 -32601 0A'],
  ['timeout', 60, '408 504 524 5005 HYT00 HYT01'],
  ['conflict', 60, '409 412 23505 23503 42P07 42P04 23000 55'],
  ['too_large', 76, '413 414 431 552 22001 54'],
  ['rate_limited', 60, '429 420 53300 -32005'],
  ['not_ready', 60, '425 4006 5010 57P03'],
  ['denied', 74, '451 554'],
  ['cancelled', 52, '499 57014'],
  ['unreachable-', 60, '525 526'],

  ['bad_response', 50, '-32700 5003'],
  ['invalid_input', 66, '-32600 -32602 4002 4003 4004 416 22 23 42 08P01 InputError ContextError InconsistentMetadataError'],
  ['timeout', 30, '-32001'],

  ['unreachable', 70, '08 TransientError'],
  ['conflict+', 76, '40 55P03 423 449'],
  ['forbidden', 70, '25006 42501'],
  ['upstream', 70, '53 57 UpstreamError UpstreamServiceError external_service_error'],
  ['internal', 90, '25 XX 5004 internal_error ToolpactError'],
];

const meanings = new Map<string, Reading>();
for (const [verdict, weight, keys] of table) for (const key of keys.split(' ')) meanings.set(key, { verdict, weight });
