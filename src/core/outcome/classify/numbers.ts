import type { Reading } from './read-meaning.ts';
import type { Verdict } from './vocabulary.ts';

/** Reads an HTTP status or one of the replies of mail and file servers in its number space, a number of coded responses, a JSON-RPC code, a name of an exception that a tool contract documents, or a SQLSTATE exactly or by its class. */
export function readNumber(key: number | string): readonly Reading[] {
  return (
    meanings.get(`${key}`) ??
    meanings.get(typeof key === 'number' ? `${Math.floor(key / 100)}xx` : key.length === 5 ? key.slice(0, 2) : '') ??
    []
  );
}

// Weights are on one scale with the vocabulary's: a bare 400, 403 or 500 says little, a 404 says what happened. As there, the order inside a
// row means nothing and is the one that compresses best. Numbers with dots are those of mail servers.
const table: readonly [Verdict, number, string][] = [
  ['unknown_tool', 50, '4001'],
  ['not_configured', 50, '5001'],
  ['all_failed', 50, '5008'],
  ['bad_response', 30, '3xx'],
  ['invalid_input', 20, '4xx'],
  ['upstream', 45, '5002 5007 4. 5006 -32603 424 5xx'],
  ['invalid_input', 31, '400 422'],
  ['unauthenticated', 60, '535 407 401 28 530 534'],
  ['budget_exhausted', 60, '53100 402 5.2.2 507'],
  ['forbidden', 42, '403'],
  ['not_found', 60, '404 410 4005 3D 5.1 42P01 42883 42703'],
  ['not_found', 40, '550 -32002'],
  ['unsupported', 60, '415 501 405 -32601 406 0A'],
  ['timeout', 60, '524 HYT01 5005 504 HYT00 408'],
  ['conflict', 60, '23000 42P04 412 23505 55 409 42P07 23503'],
  ['too_large', 76, '414 413 54 552 22001 431 5.3.4'],
  ['rate_limited', 60, '429 420 53300 -32005'],
  ['not_ready', 60, '425 5010 4006 57P03'],
  ['denied', 74, '554 5.7 451'],
  ['cancelled', 52, '57014 499'],
  ['unreachable-', 60, '525 526'],

  ['bad_response', 50, '5003 -32700'],
  ['invalid_input', 66, '416 -32600 4003 4004 ContextError -32602 InconsistentMetadataError InputError 08P01 23 4002 22 5.1.3 42'],
  ['timeout', 30, '-32001'],

  ['unreachable', 70, 'TransientError 08'],
  ['conflict+', 76, '55P03 449 423 40'],
  ['forbidden', 70, '42501 25006'],
  ['upstream', 70, '53 57 UpstreamServiceError UpstreamError external_service_error'],
  ['internal', 90, 'ToolpactError XX 25 5004 internal_error'],
];

const meanings = new Map<string, readonly Reading[]>();
for (const [verdict, weight, keys] of table) for (const key of keys.split(' ')) meanings.set(key, [{ verdict, weight }]);
