import { describe, expect, test } from 'vitest';
import { type DialectName, dialects } from '../../../toolpact/src/dialects/dialects.ts';
import { openai } from '../../../toolpact/src/dialects/providers/openai.ts';
import { detectDialect } from '../../../toolpact/src/dialects/reading/detect-dialect.ts';
import { catalogue, type FailureKind, makeFailure, type Outcome } from '../../../toolpact/src/outcome/index.ts';
import { envelopes } from './envelopes.ts';

test('the corpus holds more than a hundred envelopes', () => expect(envelopes.length).toBeGreaterThanOrEqual(130));

test.each(envelopes)('takes "%s" for what it is', (_title, json, dialect) => expect(detectDialect(json)).toBe(dialect));

const meta = { tookMs: 1, attempts: 1 };
const outcomes: readonly Outcome[] = [
  { status: 'ok', data: { results: [] }, meta },
  { status: 'ok', data: 'text', meta },
  { status: 'partial', data: [1, null], failures: [{ index: 1, error: makeFailure('timeout', { message: 'late' }) }], total: 2, meta },
  { status: 'pending', pending: { handle: 'h', reason: 'running' }, meta },
  ...Object.keys(catalogue).map((kind): Outcome => ({ status: 'error', error: makeFailure(kind as FailureKind, { message: 'no' }), meta })),
];

describe.each(Object.keys(dialects) as DialectName[])('%s', (name) => {
  test.each([true, false])('recognises everything that itself writes, strict: %s', (strict) => {
    const reported = outcomes.map((outcome) => detectDialect(dialects[name].encode(outcome, { strict })));
    expect(reported).toEqual(outcomes.map(() => name));
  });
});

test('recognises the Responses form', () => {
  expect(detectDialect(openai.encode({ status: 'ok', data: 1, meta }, { form: 'responses' }))).toBe('openai');
});

test.each([
  [
    'a getter that throws',
    Object.defineProperty({}, 'success', {
      get: () => {
        throw new Error('no');
      },
      enumerable: true,
    }),
  ],
  ['a revoked proxy', revokedProxy()],
])('says undefined of %s', (_, json) => expect(detectDialect(json)).toBeUndefined());

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
