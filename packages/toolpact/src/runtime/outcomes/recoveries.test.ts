import { describe, expect, test } from 'vitest';
import { toReadFailure } from '../../classify/index.ts';
import { adviceFor, catalogue, type Failure, type FailureKind, fail, type Outcome } from '../../outcome/index.ts';
import { createToolbox } from '../../toolbox/create-toolbox.ts';
import { defineTool } from '../define-tool.ts';

type Declared = 'none' | 'idempotent' | 'writes' | undefined;

async function failureOf(thrown: unknown, effects: Declared): Promise<Failure> {
  const tool = defineTool({
    name: 'act',
    description: 'Acts.',
    ...(effects !== undefined && { effects }),
    run: () => {
      throw thrown;
    },
  });
  return errorOf(await createToolbox([tool], { report: () => undefined }).call('act', {}));
}

function errorOf(outcome: Outcome): Failure {
  if (outcome.status !== 'error') throw new Error(`it ended as ${outcome.status}`);
  return outcome.error;
}

const shown = ({ effect, recovery, retryable }: Failure) => `${effect} ${recovery}${retryable ? ' retryable' : ''}`;
const kinds = Object.keys(catalogue) as FailureKind[];
const http = (status: number, headers: object = {}) =>
  Object.assign(new Error(`Request failed with status code ${status}`), { status, headers: { date: 'x', ...headers } });
const system = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

describe('an author who fails a call with a kind', () => {
  const table: Readonly<Record<FailureKind, readonly [reads: string, writes: string]>> = {
    invalid_input: ['none fix_input', 'none fix_input'],
    unknown_tool: ['none fix_input', 'none fix_input'],
    not_found: ['none fix_input', 'none fix_input'],
    unauthenticated: ['none reauth', 'none reauth'],
    forbidden: ['none ask_user', 'none ask_user'],
    denied: ['none ask_user', 'unknown ask_user'],
    conflict: ['none fix_input', 'none fix_input'],
    not_ready: ['none wait retryable', 'none wait retryable'],
    not_configured: ['none stop', 'none stop'],
    rate_limited: ['none wait retryable', 'none wait retryable'],
    budget_exhausted: ['none stop', 'none stop'],
    timeout: ['none wait retryable', 'unknown verify'],
    cancelled: ['none stop', 'unknown verify'],
    interrupted: ['none verify', 'unknown verify'],
    unreachable: ['none wait retryable', 'unknown verify'],
    upstream: ['none wait retryable', 'unknown verify'],
    bad_response: ['none other_tool', 'unknown verify'],
    too_large: ['none fix_input', 'none fix_input'],
    unsupported: ['none other_tool', 'none other_tool'],
    invalid_output: ['none stop', 'unknown verify'],
    all_failed: ['none stop', 'unknown verify'],
    failed: ['none see_message', 'unknown verify'],
    internal: ['none stop', 'unknown verify'],
  };

  test.each(kinds)('%s, in a tool that reads, writes, or does not say', async (kind) => {
    const [reads, writes] = table[kind];
    expect(shown(await failureOf(fail(kind, 'No.'), 'none'))).toBe(reads);
    expect(shown(await failureOf(fail(kind, 'No.'), 'writes'))).toBe(writes);
    expect(shown(await failureOf(fail(kind, 'No.'), undefined))).toBe(kind === 'failed' ? 'unknown see_message' : writes);
  });

  test('may state that something was done before', async () => {
    expect(shown(await failureOf(fail('not_found', 'No receipt.', { effect: 'applied' }), 'writes'))).toBe('applied verify');
    expect(shown(await failureOf(fail('not_found', 'No receipt.', { effect: 'unknown' }), 'writes'))).toBe('unknown fix_input');
  });
});

describe('a failure of a tool that writes', () => {
  test.each<[string, unknown, string, string]>([
    ['a plain error', new Error('Only one date may be set.'), 'unknown verify', 'unknown see_message'],
    ['a bug', new TypeError('x is not a function'), 'unknown verify', 'unknown verify'],
    ['a reset connection', system('ECONNRESET'), 'unknown verify', 'unknown verify'],
    ['a refused connection', system('ECONNREFUSED'), 'none wait retryable', 'none wait retryable'],
    ['a name that is not known', system('ENOTFOUND'), 'none wait retryable', 'none wait retryable'],
    [
      'a refused connection below fetch',
      new TypeError('fetch failed', { cause: system('ECONNREFUSED') }),
      'none wait retryable',
      'none wait retryable',
    ],
    [
      'connections of which one was not refused',
      new AggregateError([system('ECONNREFUSED'), system('ECONNRESET')]),
      'unknown verify',
      'unknown verify',
    ],
    ['status 400', http(400), 'none fix_input', 'none fix_input'],
    ['status 401', http(401), 'none reauth', 'none reauth'],
    ['status 403', http(403), 'none ask_user', 'none ask_user'],
    ['status 404', http(404), 'none fix_input', 'none fix_input'],
    ['status 409', http(409), 'none fix_input', 'none fix_input'],
    ['status 422', http(422), 'none fix_input', 'none fix_input'],
    ['status 429', http(429), 'none wait retryable', 'none wait retryable'],
    ['status 500', http(500), 'unknown verify', 'unknown verify'],
    ['status 503', http(503), 'unknown verify', 'unknown verify'],
    ['status 408', http(408), 'unknown verify', 'unknown verify'],
    ['a status in a cause', new Error('Loading failed', { cause: http(404) }), 'none fix_input', 'none fix_input'],
    ['a status in words alone', new Error('The service answered with HTTP 404'), 'unknown fix_input', 'unknown fix_input'],
    ['a limit in words alone', new Error('The service answered with HTTP 429'), 'unknown wait', 'unknown wait'],
    ['the words of another system', toReadFailure({ code: 'ENOENT' }, 'No such file.'), 'unknown fix_input', 'unknown fix_input'],
  ])('by %s', async (_, thrown, declared, omitted) => {
    expect(shown(await failureOf(thrown, 'writes'))).toBe(declared);
    expect(shown(await failureOf(thrown, undefined))).toBe(omitted);
  });

  test('keeps the wait that a refusing service asked for', async () => {
    const limited = http(429, { 'retry-after': '2' });
    expect(await failureOf(limited, 'writes')).toMatchObject({ retryAfterMs: 2000, advice: 'Wait 2 s before trying again.' });
    expect(await failureOf(new Error('HTTP 429, retry after 30 seconds'), 'writes')).toMatchObject({
      effect: 'unknown',
      recovery: 'wait',
      retryable: false,
      retryAfterMs: 30_000,
    });
  });

  test('says nothing about effects where the tool declares nothing and the author says what is wrong', async () => {
    const failure = await failureOf(new Error('old_string occurs twice; add context.'), undefined);
    expect(failure).toMatchObject({ message: 'old_string occurs twice; add context.', effect: 'unknown', retryable: false });
    expect(failure.advice).not.toMatch(/effect/);
  });
});

describe('a batch of which every item failed', () => {
  const items = (...errors: unknown[]) =>
    fail('all_failed', 'All failed.', { failures: errors.map((error, index) => ({ index, error: error as never })) });
  test.each<[string, unknown, string]>([
    ['was refused', items(fail('not_found', 'a'), fail('not_found', 'b')), 'none fix_input'],
    ['has to wait', items(http(429), http(429)), 'none wait retryable'],
    ['may have taken effect once', items(http(404), http(500)), 'unknown verify'],
    ['failed in the words of its author', items(new Error('The lid is open.')), 'unknown see_message'],
  ])('follows its items where each %s', async (_, thrown, expected) => {
    expect(shown(await failureOf(thrown, undefined))).toBe(expected);
  });
});

test('no advice contradicts what its failure says', async () => {
  const thrown = [
    ...kinds.flatMap((kind) => [
      fail(kind, 'x'),
      ...(['none', 'applied', 'unknown'] as const).map((effect) => fail(kind, 'x', { effect })),
      ...[true, false].map((retryable) => fail(kind, 'x', { retryable })),
    ]),
    ...[400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504].map((status) => http(status)),
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT', 'EACCES'].map(system),
    new Error('x'),
    new TypeError('x'),
    undefined,
  ];
  for (const effects of ['none', 'idempotent', 'writes', undefined] as const) {
    for (const one of thrown) {
      const failure = await failureOf(one, effects);
      const { kind, effect, recovery, retryable, retryAfterMs } = failure;
      const evidence = JSON.stringify({ effects, failure });
      if (retryable) expect(recovery, evidence).toBe('wait');
      if (effect === 'unknown' && effects !== 'idempotent') expect(retryable, evidence).toBe(false);
      if (effect === 'unknown' && recovery === 'verify') expect(catalogue[kind].refusal, evidence).toBe(false);
      expect(/taken effect/.test(adviceFor(failure)), evidence).toBe(
        recovery === 'verify' || (recovery === 'wait' && effect === 'applied'),
      );
      expect(/[Tt]ry again in|before trying again/.test(adviceFor(failure)) && recovery === 'stop', evidence).toBe(false);
      if (recovery === 'verify') expect(retryAfterMs, evidence).toBeUndefined();
    }
  }
});
