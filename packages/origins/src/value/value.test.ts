import type { JsonObject, Outcome } from 'toolpact';
import { makeFailure } from 'toolpact/internal';
import { describe, expect, test } from 'vitest';
import { value } from './value.ts';

const meta = { tookMs: 3, attempts: 1 };
const error = makeFailure('invalid_input', { message: 'path is required' });

describe('value', () => {
  test.each<readonly [title: string, outcome: Outcome, envelope: JsonObject]>([
    ['a result', { status: 'ok', data: { a: 1 }, message: 'Listed.', meta }, { success: true, value: { a: 1 }, message: 'Listed.' }],
    ['a result without a message', { status: 'ok', data: 'x', meta }, { success: true, value: 'x', message: 'OK' }],
    ['a failure with null', { status: 'error', error, meta }, { success: false, value: null, message: 'path is required' }],
    [
      'a failure with its own payload',
      { status: 'error', error, data: { at: 1 }, meta },
      { success: false, value: { at: 1 }, message: 'path is required' },
    ],
    [
      'no default as a value',
      { status: 'error', error, fallback: { a: 0 }, meta },
      { success: false, value: null, message: 'path is required' },
    ],
    [
      'a partial result as a failure that keeps its data',
      { status: 'partial', data: [1, null], failures: [{ index: 1, error }], total: 2, meta },
      { success: false, value: [1, null], message: '1 of 2 items failed' },
    ],
    [
      'a pending call',
      { status: 'pending', pending: { handle: 'h', reason: 'input' }, message: 'Which one?', meta },
      { success: true, value: { pending: { handle: 'h', reason: 'input' } }, message: 'Which one?' },
    ],
  ])('writes %s', (_, outcome, envelope) => expect(value.encode(outcome, { strict: true })).toEqual(envelope));

  test('hides the value from the model, in the extension too', () => {
    const outcome: Outcome = { status: 'ok', data: { secret: 'plan' }, message: 'Read 1 file.', meta };
    expect(value.encode(outcome, { hideValue: true })).toEqual({ success: true, value: null, message: 'Read 1 file.' });
  });

  test.each([
    { success: true, value: { files: ['a.ts'] }, message: 'Listed 1 file.' },
    { success: false, value: null, message: 'Validation failed' },
    { success: false, value: { reason: 'quota' }, message: 'Quota exceeded' },
    { success: true, value: null, message: 'OK' },
  ])('reads %j and writes it again', (envelope) => {
    const decoded = value.decode(envelope);
    expect(decoded.ok && value.encode(decoded.outcome, { strict: true })).toEqual(envelope);
  });

  test.each([
    [
      { value: 1, message: 'OK' },
      { path: ['success'], problem: 'missing' },
    ],
    [
      { success: true, message: 'OK' },
      { path: ['value'], problem: 'missing' },
    ],
    [
      { success: true, value: 1 },
      { path: ['message'], problem: 'missing' },
    ],
    [
      { success: 1, value: 1, message: 'OK' },
      { path: ['success'], problem: 'type' },
    ],
    [
      { success: true, value: 1, message: null },
      { path: ['message'], problem: 'type' },
    ],
    [
      { success: true, value: 1, message: 'OK', error: 'no' },
      { path: ['error'], problem: 'rule' },
    ],
    [
      { success: true, value: { pending: { handle: 'h', reason: 'sleep' } }, message: 'OK' },
      { path: ['value', 'pending', 'reason'], problem: 'rule' },
    ],
  ])('refuses %j', (json, issue) => expect(value.decode(json)).toMatchObject({ ok: false, failure: { issues: [issue] } }));
});

test('a hidden value does not hide that the call still waits', () => {
  const pending: Outcome = { status: 'pending', pending: { handle: 'h', reason: 'running' }, meta: { tookMs: 1, attempts: 1 } };
  expect(value.encode(pending, { hideValue: true })).toEqual({
    success: true,
    value: { pending: { handle: 'h', reason: 'running' } },
    message: 'OK',
  });
});
