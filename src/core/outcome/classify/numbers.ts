import type { Reading } from './read-meaning.ts';
import type { Verdict } from './vocabulary.ts';

/**
 * Reads an HTTP status or one of the replies of mail and file servers in its number space, a number of coded responses, a JSON-RPC code, a
 * gRPC status plus 100, the exit code 127 of a shell, a name of an exception that a tool contract documents, or a SQLSTATE exactly or by
 * its class.
 */
export function readNumber(key: number | string): readonly Reading[] {
  return (
    meanings.get(`${key}`) ??
    meanings.get(typeof key === 'number' ? `${Math.floor(key / 100)}xx` : key.length === 5 ? key.slice(0, 2) : '') ??
    []
  );
}

// Weights are on one scale with the vocabulary's: a bare 400, 403 or 500 says little, a 404 says what happened. The order of rows,
// and inside a row, means nothing and is the one that compresses best. Numbers with dots are those of mail servers.
const table: readonly [Verdict, number, string][] = [
  ['unknown_tool', 50, '4001'],
  ['denied', 74, '554 451 5.7'],
  ['timeout', 30, '-32001'],
  ['too_large', 76, '552 54 414 413 22001 431 5.3.4'],
  ['rate_limited', 60, '429 -32005 53300 420 108'],
  ['not_configured', 66, '5001 127'],
  ['not_found', 60, '410 42P01 4005 550 42703 3D -32002 105 5.1 404'],
  ['unsupported', 60, '405 501 406 112 -32601 415 0A'],
  ['upstream', 45, '424 113 -32603 5006 102 5002 5007 5xx 114 4.'],
  ['invalid_input', 31, '422 400'],
  [
    'invalid_input',
    61,
    '416 103 4003 -32602 4002 109 22 5.1.3 ContextError InputError InconsistentMetadataError 08P01 23 4004 111 -32600 42',
  ],
  ['conflict', 60, '23000 409 23P01 23503 55 42P04 412 106 23505 42P07'],
  ['invalid_input', 20, '4xx'],
  ['not_ready', 60, '425 5010 08003 57P03 4006'],
  ['conflict+', 70, '449 110 423 55P03 40'],
  ['unauthenticated', 60, '28 407 535 530 401 534 116'],
  ['timeout', 60, '524 104 HYT01 5005 504 HYT00 408'],
  ['forbidden', 70, '42501 25006 107'],
  ['budget_exhausted', 60, '507 53100 402 5.2.2'],
  ['unreachable', 70, 'TransientError 08'],
  ['cancelled', 52, '101 57014 499'],
  ['internal', 90, 'ToolpactError 25 5004 XX internal_error'],
  ['bad_response', 50, '5003 -32700 3xx 115'],
  ['upstream', 70, '53 57 UpstreamError UpstreamServiceError external_service_error'],
  ['all_failed', 50, '5008'],
  ['forbidden', 42, '403'],
];

const meanings = new Map<string, readonly Reading[]>();
for (const [verdict, weight, keys] of table) for (const key of keys.split(' ')) meanings.set(key, [{ verdict, weight }]);
