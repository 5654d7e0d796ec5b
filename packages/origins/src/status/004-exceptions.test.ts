import { status, ToolErrorType } from '@toolpact/origins/status';
import { defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

/** Gives what an exception becomes on the wire. */
async function detailOf(message: string, facts: object): Promise<object> {
  const run = () => raise(Object.assign(new Error(message), facts));
  const tool = defineTool({ name: 'my_tool', description: 'x', effects: 'none', run });
  const envelope = status.encode(await quietBox([tool], { preset }).call('my_tool', {}), { strict: true });
  return envelope.status === 'error' ? envelope.error : {};
}

/** Messages whose words alone mean one type or another. */
const messages = [
  'no',
  'Please try again later',
  'Something went wrong',
  'Service unavailable',
  'HTTP 500',
  'rate limit exceeded',
  'timed out',
  'not found',
  'invalid input',
  'Unauthorized',
];

/** The exceptions that the tools of that system raise, by name. */
test.each([
  ['004-44', 'RateLimitedError', 'RATE_LIMIT'],
  ['004-45', 'TimeoutError', 'TIMEOUT'],
  ['004-46', 'UpstreamError', 'UPSTREAM'],
  ['004-46', 'UpstreamServiceError', 'UPSTREAM'],
  ['004-47', 'InputError', 'VALIDATION'],
  ['004-47', 'ContextError', 'VALIDATION'],
  ['004-47', 'NotFoundError', 'VALIDATION'],
  ['004-47', 'InconsistentMetadataError', 'VALIDATION'],
  ['004-48', 'TransientError', 'RETRYABLE'],
  ['004-48', 'RetryableError', 'RETRYABLE'],
  ['004-49', 'PermanentError', 'FATAL'],
  ['004-49', 'InternalToolError', 'FATAL'],
])('%s an exception named %s is `%s`, whatever its message says', async (_, name, type) => {
  for (const message of messages) expect(await detailOf(message, { name })).toMatchObject({ type, message });
});

describe('an exception that states its type has it', () => {
  const stated = Object.values(ToolErrorType).flatMap((type) =>
    (['type', 'error_type', 'errorType', 'code'] as const).map((property) => [type, property] as const),
  );

  test.each(stated)('004-44 004-49 `%s` as its `%s`, whatever its message says', async (type, property) => {
    for (const message of messages) expect(await detailOf(message, { [property]: type })).toMatchObject({ type, message });
  });

  test.each(stated)('004-44 004-49 `%s` as its `%s`, whatever status it names beside it', async (type, property) => {
    expect(await detailOf('no', { [property]: type, upstream_status: 503 })).toMatchObject({ type });
  });
});

describe('004-41 an exception names the other side', () => {
  test.each([
    ['the name of a queue', 'ingest-queue', 'ingest-queue'],
    ['a topic', 'kafka:topic-a', 'kafka:topic-a'],
    ['a path, without its query', '/v1/embeddings?key=k-1', '/v1/embeddings'],
    ['an address, without its query and login', 'https://me:pw@llm.example/v1?key=k-1', 'https://llm.example/v1'],
    ['a name after a login', 'me:pw@ingest-queue', 'ingest-queue'],
    ['a secret', 'sk-abcdef1234567890abcdef', '[redacted]'],
  ])('by %s', async (_, endpoint, written) => {
    expect(await detailOf('no', { name: 'UpstreamError', endpoint })).toMatchObject({ type: 'UPSTREAM', endpoint: written });
    expect(await detailOf('no', { endpoint })).toMatchObject({ type: 'FATAL', endpoint: written });
  });

  test('and by nothing else', async () => {
    expect(await detailOf('no', { name: 'UpstreamError', endpoint: 7 })).not.toHaveProperty('endpoint');
    expect(await detailOf('no', { name: 'UpstreamError', endpoint: '?' })).not.toHaveProperty('endpoint');
  });
});

test.each([
  ['beside metadata, as clients of gRPC have it', { code: 14, details: 'no', metadata: {} }, 14, 'UPSTREAM'],
  ['stated', { upstream_status: 4 }, 4, 'TIMEOUT'],
  ['stated, beside a name', { name: 'UpstreamError', upstream_status: 14 }, 14, 'UPSTREAM'],
])('004-40 the gRPC status of an exception is kept: %s', async (_, facts, upstream_status, type) => {
  expect(await detailOf('no', facts)).toMatchObject({ type, upstream_status });
});
