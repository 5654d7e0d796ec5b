import { catalogue, type FailureKind, type Outcome } from 'toolpact';
import { detectDialect, openai } from 'toolpact/dialects';
import { makeFailure } from 'toolpact/internal';
import { describe, expect, test } from 'vitest';
import { type DialectName, dialects } from './all-dialects.ts';
import { envelopes } from './envelopes.ts';

/** Names the one of all dialects that an envelope is in. */
const nameOf = (json: unknown): string | undefined => detectDialect(json, Object.values(dialects))?.name;

test('the corpus holds more than a hundred envelopes', () => expect(envelopes.length).toBeGreaterThanOrEqual(130));

test.each(envelopes)('takes "%s" for what it is', (_title, json, dialect) => expect(nameOf(json)).toBe(dialect));

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
    const reported = outcomes.map((outcome) => nameOf(dialects[name].encode(outcome, { strict })));
    expect(reported).toEqual(outcomes.map(() => name));
  });
});

test('recognises the Responses form', () => {
  expect(nameOf(openai.encode({ status: 'ok', data: 1, meta }, { form: 'responses' }))).toBe('openai');
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
])('says undefined of %s', (_, json) => expect(nameOf(json)).toBeUndefined());

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test('among the dialects of the library alone, the envelopes of the origins are none', () => {
  const detected = envelopes.map(([, json]) => detectDialect(json)?.name);
  const own = envelopes.map(([, , name]) => (['flat', 'coded', 'value', 'status'].includes(String(name)) ? undefined : name));
  for (const [index, name] of own.entries()) if (name !== undefined) expect(detected[index]).toBe(name);
  expect(detected.filter((name) => name !== undefined && !['mcp', 'openai', 'anthropic', 'gemini', 'problem'].includes(name))).toEqual([]);
});
