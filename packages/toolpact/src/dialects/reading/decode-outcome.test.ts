import { expect, test } from 'vitest';
import { makeFailure } from '../../outcome/index.ts';
import { decodeOutcome } from './decode-outcome.ts';

const meta = { tookMs: 1, attempts: 1 };
const waiting = { handle: 'h', reason: 'running' };

test.each([
  { status: 'ok', data: { n: 1 }, meta },
  { status: 'ok', data: null, meta },
  { status: 'ok', data: { pending: waiting }, meta },
  { status: 'pending', pending: waiting, message: 'Wait.', meta },
  { status: 'partial', data: [1], failures: [], total: 2, meta },
  { status: 'error', error: makeFailure('conflict', { message: 'No.' }), data: { pending: waiting }, meta },
  { status: 'error', error: makeFailure('timeout', { message: 'Late.', effect: 'none' }), fallback: [], meta },
])('an outcome that is %j is read as it is', (outcome) => {
  expect(decodeOutcome(outcome, { effects: 'none' })).toEqual({ ok: true, outcome });
});

test.each([
  [null],
  [7],
  [{}],
  [{ status: 'done', data: 1, meta }],
  [{ status: 'pending', meta }],
  [{ status: 'pending', pending: { handle: 7 }, meta }],
  [{ status: 'error', error: { kind: 'made_up' }, meta }],
  [{ status: 'ok', data: 1 }],
])('%j is no outcome', (json) => {
  expect(decodeOutcome(json, { effects: 'none' })).toMatchObject({ ok: false, failure: { kind: 'bad_response', code: 'undecodable' } });
});
