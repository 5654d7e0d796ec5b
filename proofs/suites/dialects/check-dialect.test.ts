import { flat } from '@toolpact/origins/flat';
import { value } from '@toolpact/origins/value';
import { defineCheck } from '@toolpact/testing';
import type { Outcome } from 'toolpact';
import { type Dialect, dialects, mcp } from 'toolpact/dialects';
import { describe, expect, test } from 'vitest';
import { checkDialect } from './check-dialect.ts';
import { dialectChecks } from './dialect-checks.ts';

test.each(Object.values(dialects).map((dialect) => [dialect.name, dialect] as const))('%s keeps every promise', async (_, dialect) => {
  expect(await checkDialect(dialect)).toEqual([]);
});

/** For each check, a dialect that breaks what it requires and, as far as possible, nothing else. */
const broken: Readonly<Record<string, readonly (readonly [title: string, dialect: Dialect, message: RegExp])[]>> = {
  'dialect/encodes-json': [
    [
      'writes a date',
      { ...value, encode: (outcome, options) => ({ ...value.encode(outcome, options), at: new Date(0) }) },
      /not plain JSON/,
    ],
    [
      'writes undefined',
      { ...value, encode: (outcome, options) => ({ ...value.encode(outcome, options), at: undefined }) },
      /not plain JSON/,
    ],
    [
      'changes the outcome',
      {
        ...value,
        encode(outcome, options) {
          if (outcome.status === 'partial') (outcome as { total: number }).total += 1;
          return value.encode(outcome, options);
        },
      },
      /changed the outcome/,
    ],
    [
      'throws',
      {
        ...value,
        encode: () => {
          throw new Error('not today');
        },
      },
      /it threw: Error: not today/,
    ],
  ],
  'dialect/round-trip': [
    [
      'writes no extension',
      { ...value, encode: (outcome) => value.encode(outcome, { strict: true }) },
      /reads back differently: .*meta\.tookMs/,
    ],
    ['cannot read what it wrote', { ...value, decode: flat.decode }, /cannot read what it wrote: Not a sound flat envelope/],
  ],
  'dialect/strict': [['always writes the extension', { ...value, encode: (outcome) => value.encode(outcome) }, /extension is there/]],
  'dialect/losses': [
    ['says it loses nothing', { ...value, losses: [] }, /loses what its table does not list: .*meta\.tookMs/],
    [
      'forgets one',
      { ...mcp, losses: mcp.losses.filter(({ path }) => path !== 'error.cause') },
      /^it loses what its table does not list: error\.cause$/,
    ],
  ],
  'dialect/failures-stay-failures': [
    [
      'has no flag and no marker',
      {
        ...value,
        decode(json) {
          const decoded = value.decode(json);
          if (!decoded.ok || decoded.outcome.status !== 'error') return decoded;
          const { error, meta } = decoded.outcome;
          return { ok: true, outcome: { status: 'ok', data: error.message, meta } satisfies Outcome };
        },
      },
      /rate_limited reads as a success/,
    ],
  ],
  'dialect/detects-itself': [
    ['recognises nothing', { ...value, detect: () => false }, /does not recognise its own envelope/],
    ['takes anything', { ...value, detect: () => true }, /takes a boolean for its own envelope/],
    ['throws', { ...value, detect: (json) => (json as { success: unknown }).success !== undefined }, /it threw: TypeError/],
  ],
  'dialect/refuses': [
    [
      'reads anything',
      { ...value, decode: () => ({ ok: true, outcome: { status: 'ok', data: 1, meta: { tookMs: 1, attempts: 1 } } }) },
      /reads null as an outcome/,
    ],
    ['throws', { ...value, decode: (json) => value.decode(JSON.parse(JSON.stringify(json))) }, /it threw: /],
    [
      'calls it something else',
      {
        ...value,
        decode(json) {
          const decoded = value.decode(json);
          return decoded.ok ? decoded : { ok: false, failure: { ...decoded.failure, kind: 'internal' } };
        },
      },
      /calls nothing internal instead of bad_response/,
    ],
    [
      'calls it retryable',
      {
        ...value,
        decode(json) {
          const decoded = value.decode(json);
          return decoded.ok ? decoded : { ok: false, failure: { ...decoded.failure, retryable: true } };
        },
      },
      /calls nothing retryable/,
    ],
    [
      'does not say why',
      {
        ...value,
        decode(json) {
          const decoded = value.decode(json);
          return decoded.ok ? decoded : { ok: false, failure: { ...decoded.failure, message: '' } };
        },
      },
      /does not say what is wrong with nothing/,
    ],
  ],
  'dialect/tells-missing-from-wrong': [
    [
      'only says that something is off',
      {
        ...value,
        decode(json) {
          const decoded = value.decode(json);
          if (decoded.ok) return decoded;
          const { issues: _, ...failure } = decoded.failure;
          return { ok: false, failure };
        },
      },
      /does not tell whether success is missing or wrong/,
    ],
  ],
  'dialect/newer-kinds': [
    [
      'passes any kind on',
      { ...value, decode: (json) => ({ ok: true, outcome: (json as { _toolpact: Outcome })._toolpact }) },
      /does not read an unknown kind as internal/,
    ],
  ],
  'dialect/schema': [
    ['exports nothing', { ...value, jsonSchema: () => ({}) }, /gives no schema/],
    ['exports what is no JSON', { ...value, jsonSchema: () => ({ at: new Date(0) as never }) }, /gives no schema/],
  ],
};

describe('every check can fail', () => {
  test('and each has a dialect that makes it fail', () => expect(Object.keys(broken)).toEqual(dialectChecks.map(({ id }) => id)));

  const rows = Object.entries(broken).flatMap(([id, subjects]) =>
    subjects.map(([title, dialect, message]) => [id, title, dialect, message] as const),
  );
  test.each(rows)('%s finds a dialect that %s', async (id, _, dialect, message) => {
    const found = await dialectChecks.find((check) => check.id === id)?.run(dialect);
    expect(found?.[0]).toMatchObject({ check: id });
    expect(found?.map((finding) => finding.message).join('\n')).toMatch(new RegExp(message.source, 'm'));
  });
});

test('a check whose subject throws has found something', async () => {
  const check = defineCheck<() => void>({
    id: 'quiet',
    requirement: 'It does not throw.',
    level: 'should',
    run: (subject) => {
      subject();
      return [];
    },
  });
  expect(await check.run(() => undefined)).toEqual([]);
  expect(
    await check.run(() => {
      throw new Error('boom');
    }),
  ).toEqual([{ check: 'quiet', level: 'should', message: 'it threw instead of answering: Error: boom' }]);
});
