import { runInNewContext } from 'node:vm';
import { coded } from '@toolpact/origins/coded';
import fc from 'fast-check';
import type { Outcome } from 'toolpact';
import { makeFailure } from 'toolpact/internal';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { type DialectName, dialects } from './all-dialects.ts';
import { anyJson, anyOutcome } from './any-outcome.ts';
import { envelopes } from './envelopes.ts';

const meta = { tookMs: 1, attempts: 1 };
const sound: Outcome = { status: 'ok', data: { a: [1] }, meta };
const half: Outcome = { status: 'partial', data: [1], failures: [], total: 2, meta };
const names = Object.keys(dialects) as DialectName[];

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

function cyclic(): Record<string, unknown> {
  const value: Record<string, unknown> = { other: {} };
  value.self = value;
  value.again = value;
  return value;
}

/** Puts a value into the data of a sound envelope of each dialect. */
function carrying(name: DialectName, data: unknown): object {
  return dialects[name].encode({ status: 'ok', data, meta } as Outcome);
}

class Account {
  id = 1;
}

const hostileData: readonly (readonly [title: string, data: () => unknown, message: RegExp])[] = [
  ['10,000 levels', () => deep(10_000), /nested deeper than 512 levels/],
  ['a cycle', cyclic, /nested deeper than 512 levels, or refers back to itself/],
  ['50 MB of text', () => ({ text: 'x'.repeat(50_000_000) }), /larger than 33554432 characters/],
  [
    'very many keys',
    () => ({ data: Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`k${index}`, 0])) }),
    /more than 100000 keys/,
  ],
  ['50 MB of numbers', () => ({ list: Array.from({ length: 1_100_000 }, (_, index) => index) }), /more than 1000000 parts/],
  ['a function', () => ({ f: () => 1 }), /f is a function, which is not JSON/],
  ['a Date', () => ({ at: new Date(0) }), /at is not a plain object/],
  ['a Map', () => ({ m: new Map() }), /m is not a plain object/],
  ['a class instance', () => ({ account: new Account() }), /account is not a plain object/],
  ['an undefined field', () => ({ a: undefined }), /a is undefined, which is not JSON/],
  ['a hole in a list', () => ({ list: new Array(1) }), /list\.0 is undefined/],
  ['NaN', () => ({ n: Number.NaN }), /n is NaN, which is not JSON/],
  ['a bigint', () => ({ n: 1n }), /n is a bigint/],
  [
    'a getter that throws',
    () =>
      Object.defineProperty({}, 'g', {
        enumerable: true,
        get: () => {
          throw new Error('no');
        },
      }),
    /reading it failed/,
  ],
  ['a foreign prototype', () => ({ a: JSON.parse('{}', undefined) && Object.create({ polluted: true }) }), /a is not a plain object/],
];

/** Formats whose data is text for a model have no JSON to break; their extension has. */
describe.each(names)('%s', (name) => {
  const { decode } = dialects[name];

  test.each(hostileData)('refuses data with %s', (_title, make, message) => {
    const block = { v: 1, status: 'ok', data: make(), meta };
    const envelope = {
      ...dialects[name].encode(sound),
      ...(name === 'mcp' ? { _meta: { 'toolpact/outcome': block } } : { _toolpact: block }),
    };
    const decoded = decode(envelope);
    expect(decoded).toMatchObject({ ok: false, failure: { kind: 'bad_response', code: 'undecodable', retryable: false } });
    expect(!decoded.ok && decoded.failure.message).toMatch(message);
  });

  test.each([undefined, null, true, 0, '', 'text', [], () => 1, Symbol('s'), 1n, {}, { _toolpact: 1 }, new Date(0), Object.create(null)])(
    'refuses %s',
    (json) => {
      const decoded = decode(json);
      expect(decoded).toMatchObject({
        ok: false,
        failure: { kind: 'bad_response', code: 'undecodable', effect: 'unknown', recovery: 'verify' },
      });
      expect(!decoded.ok && decoded.failure.message).toMatch(new RegExp(`^Not a sound ${name} envelope: .+\\.$`));
    },
  );

  test('refuses a key __proto__ of the envelope, and takes on no prototype', () => {
    const json = JSON.parse(JSON.stringify(dialects[name].encode(sound)).replace('{', '{"__proto__":{"admin":true},'));
    expect(decode(json)).toMatchObject({ ok: false, failure: { issues: [{ path: ['__proto__'] }] } });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('keeps a key __proto__ of the data as data', () => {
    const data: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":1}');
    const decoded = decode(JSON.parse(JSON.stringify(carrying(name, data))));
    expect(decoded.ok && decoded.outcome.status === 'ok' && JSON.stringify(decoded.outcome.data)).toBe(JSON.stringify(data));
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('reads each part of a value once, so a getter cannot answer twice', () => {
    let reads = 0;
    const envelope = { ...dialects[name].encode(sound) };
    const key = Object.keys(envelope)[0] ?? '';
    const first = envelope[key as keyof typeof envelope];
    Object.defineProperty(envelope, key, { enumerable: true, get: () => (reads++ === 0 ? first : { not: 'the same' }) });
    expect(decode(envelope)).toMatchObject({ ok: true, outcome: sound });
    expect(reads).toBe(1);
  });

  test('never throws and never succeeds without a sound outcome, whatever JSON it is given', () => {
    const property = fc.property(anyJson, (json) => {
      const decoded = decode(json);
      return decoded.ok ? ['ok', 'partial', 'error', 'pending'].includes(decoded.outcome.status) : decoded.failure.kind === 'bad_response';
    });
    fc.assert(property, propertyRuns(200));
  });

  test('survives any one change of its own envelopes', () => {
    const property = fc.property(anyOutcome, anyJson, fc.nat(), fc.boolean(), (outcome, replacement, at, strict) => {
      const changed = replaceAt(JSON.parse(JSON.stringify(dialects[name].encode(outcome, { strict }))), replacement, { left: at % 40 });
      const decoded = decode(changed);
      if (!decoded.ok) return decoded.failure.kind === 'bad_response' && decoded.failure.message.length > 0;
      // The result is sound: it can be written and read again.
      return decode(JSON.parse(JSON.stringify(dialects[name].encode(decoded.outcome)))).ok;
    });
    fc.assert(property, propertyRuns(300));
  });

  test('reads every envelope of another format as itself or not at all', () => {
    for (const [, json] of envelopes) {
      const decoded = decode(json);
      if (decoded.ok) expect(decode(JSON.parse(JSON.stringify(dialects[name].encode(decoded.outcome))))).toEqual(decoded);
    }
  });

  test('reads a kind that only a newer peer knows as internal, never retryable', () => {
    const error = makeFailure('timeout', { message: 'x' });
    const text = JSON.stringify(dialects[name].encode({ status: 'error', error, meta }));
    const envelope = JSON.parse(text.replace('"kind":"timeout"', '"kind":"quantum_noise"'));
    expect(decode(envelope)).toMatchObject({
      ok: true,
      outcome: { error: { kind: 'internal', code: 'quantum_noise', retryable: false, recovery: 'stop' } },
    });
  });

  test('reads only the documented fields of a newer extension, and says so', () => {
    const text = JSON.stringify(dialects[name].encode(sound)).replace('"v":1', '"v":2');
    expect(decode(JSON.parse(text))).toMatchObject({ ok: true, outcome: { status: 'ok', meta: { warnings: [/newer version/] } } });
  });

  test.each([
    ['no version', '"v":1', '"w":1', 'missing'],
    ['a version that is no number', '"v":1', '"v":"1"', 'type'],
    ['no status', '"status":"ok"', '"stat":"ok"', undefined],
    ['no attempts', '"attempts":1', '"tries":1', 'missing'],
    ['attempts that are no number', '"attempts":1', '"attempts":"1"', 'type'],
    ['parts that the envelope should hold and does not', '"v":1', '"v":1,"held":["fallback"]', undefined],
    ['parts that are no parts', '"v":1', '"v":1,"held":["meta"]', undefined],
  ])('refuses an extension with %s', (_title, from, to, problem) => {
    const text = JSON.stringify(dialects[name].encode(sound)).replace(from.startsWith('"v"') ? /,"held":\["data"\]/ : '', '');
    // The extension comes last.
    const at = text.lastIndexOf(from);
    const decoded = decode(JSON.parse(text.slice(0, at) + to + text.slice(at + from.length)));
    expect(decoded).toMatchObject({ ok: false, failure: { kind: 'bad_response' } });
    if (problem !== undefined && !decoded.ok) expect(decoded.failure.issues?.[0]).toMatchObject({ problem });
  });
});

/** Replaces the nth part of a value. */
function replaceAt(value: unknown, replacement: unknown, counter: { left: number }): unknown {
  if (counter.left-- === 0) return replacement;
  if (Array.isArray(value)) return value.map((item) => replaceAt(item, replacement, counter));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceAt(item, replacement, counter)]));
}

test.each([
  ['flat', 'success', { ...dialects.flat.encode(sound), success: false, error: 'no' }],
  ['coded', 'code', { ...coded.encode(sound), code: 5004 }],
  ['value', 'success', { ...dialects.value.encode(sound), success: false }],
  ['mcp', 'isError', { ...dialects.mcp.encode(sound), isError: true }],
  ['anthropic', 'is_error', { ...dialects.anthropic.encode(sound), is_error: true }],
  ['problem', 'status', { ...dialects.problem.encode(sound), status: 500 }],
  ['problem', 'partial status', { ...dialects.problem.encode(sound), status: 207 }],
  ['coded', 'code of another failure', { ...coded.encode(half), code: 4005 }],
  ['openai', 'failure text', { ...dialects.openai.encode(sound), content: '[error: timeout] It took too long.' }],
  ['anthropic', 'failure text', { ...dialects.anthropic.encode(sound), content: '[error: timeout] It took too long.' }],
  ['mcp', 'partial text', { ...dialects.mcp.encode(sound), content: [{ type: 'text', text: '[partial] 1 of 2 failed.' }] }],
  [
    'gemini',
    'pending text',
    { ...dialects.gemini.encode(half), functionResponse: { name: 'a', response: { output: '[pending: running] Wait. (handle: h)' } } },
  ],
] as const)('%s refuses an envelope whose %s contradicts its extension', (name, _, envelope) => {
  const decoded = dialects[name].decode(envelope);
  expect(!decoded.ok && decoded.failure.message).toMatch(/disagree on how the call ended/);
});

const [late, missingThing] = [makeFailure('timeout', { message: 'no' }), makeFailure('not_found', { message: 'no', code: 'no_such_row' })];

describe.each(names.filter((name) => name !== 'value'))('%s', (name) => {
  const { encode, decode } = dialects[name];
  const blockOf = (envelope: object): object =>
    name === 'mcp' ? { _meta: Reflect.get(envelope, '_meta') } : { _toolpact: Reflect.get(envelope, '_toolpact') };

  test.each([
    ['another kind', late, missingThing],
    ['another kind', missingThing, late],
  ])('refuses an extension that states %s of failure than its envelope', (_, said, stated) => {
    const [envelope, other] = [encode({ status: 'error', error: said, meta }), encode({ status: 'error', error: stated, meta })];
    const decoded = decode({ ...envelope, ...blockOf(other) });
    expect(!decoded.ok && decoded.failure.message).toMatch(/disagree on what went wrong/);
  });
});

const endings: readonly Outcome[] = [
  { status: 'ok', data: { a: 1 }, meta },
  { status: 'ok', data: 'words', meta },
  { status: 'partial', data: { a: 1 }, failures: [{ index: 0, error: late }], total: 2, meta },
  { status: 'error', error: late, data: { a: 1 }, meta },
  { status: 'pending', pending: { handle: 'h', reason: 'running' }, meta },
];

describe.each(names)('%s', (name) => {
  test('believes no extension that states another ending than its envelope shows', () => {
    const believed = endings.flatMap((said) => {
      const envelope = dialects[name].encode(said, { strict: true });
      const others = endings.filter(({ status }) => status !== said.status);
      return others.flatMap((stated) => {
        const block = { v: 1, ...stated };
        const forged = { ...envelope, ...(name === 'mcp' ? { _meta: { 'toolpact/outcome': block } } : { _toolpact: block }) };
        return dialects[name].decode(forged).ok ? [`${said.status} as ${stated.status}`] : [];
      });
    });
    // The two formats that have no way to show which of these it was.
    expect(believed).toEqual(name === 'flat' || name === 'value' ? ['partial as error', 'error as partial'] : []);
  });
});

test.each([
  ['flat', 'error'],
  ['coded', 'message'],
  ['value', 'message'],
  ['problem', 'detail'],
] as const)('%s takes the message of a failure from where everybody reads it', (name, field) => {
  const envelope = { ...dialects[name].encode({ status: 'error', error: late, meta }), [field]: '[redacted]' };
  expect(dialects[name].decode(envelope)).toEqual({
    ok: true,
    outcome: { status: 'error', error: { ...late, message: '[redacted]' }, meta },
  });
});

test('status takes the message of a failure from where everybody reads it', () => {
  const envelope = dialects.status.encode({ status: 'error', error: late, meta }) as { error: object };
  const redacted = { ...envelope, error: { ...envelope.error, message: '[redacted]' } };
  expect(dialects.status.decode(redacted)).toMatchObject({ ok: true, outcome: { error: { message: '[redacted]', retryable: true } } });
});

test('flat believes no partial result next to the code of a failure', () => {
  const envelope = { ...dialects.flat.encode(half), error_code: 'timeout' };
  expect(dialects.flat.decode(envelope)).toMatchObject({ ok: false, failure: { issues: [{ path: ['_toolpact', 'status'] }] } });
});

test('problem refuses an extension that states another kind than the HTTP status, whatever page its type leads to', () => {
  const envelope = dialects.problem.encode({ status: 'error', error: late, meta });
  expect(dialects.problem.decode({ ...envelope, type: 'https://example.com/late' })).toMatchObject({ ok: true });
  expect(dialects.problem.decode({ ...envelope, type: 'https://example.com/late', status: 404 })).toMatchObject({ ok: false });
});

test('a text that never closes its pending marker is read in no time', () => {
  const content = `[pending: running] ${' (handle: '.repeat(300_000)}`;
  expect(dialects.openai.decode({ role: 'tool', tool_call_id: 'c', content })).toMatchObject({ ok: true, outcome: { status: 'ok' } });
});

test('a key of any length is named in a few words', () => {
  const decoded = dialects.flat.decode({ success: true, error: null, ['k'.repeat(100_000)]: undefined });
  expect(JSON.stringify(decoded).length).toBeLessThan(1000);
  expect(decoded).toMatchObject({ ok: false, failure: { issues: [{ path: [`${'k'.repeat(63)}…`] }] } });
});

test('an envelope of another realm is as good as one of this', () => {
  const json: unknown = runInNewContext('({ success: true, error: null, results: [{ id: 1 }] })');
  expect(dialects.flat.detect(json)).toBe(true);
  expect(dialects.flat.decode(json)).toMatchObject({ ok: true, outcome: { data: { results: [{ id: 1 }] } } });
});

test('null for options is nothing', () => {
  expect(dialects.flat.decode({}, null as never)).toMatchObject({ ok: false, failure: { kind: 'bad_response' } });
});

test('a list with holes is no content', () => {
  const content: unknown[] = [];
  content.length = 2 ** 32 - 1;
  expect(dialects.mcp.detect({ content })).toBe(false);
});
