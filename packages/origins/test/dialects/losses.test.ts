import fc from 'fast-check';
import type { Outcome } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { lostPaths } from '../../../testing/src/lost-paths.ts';
import { type DialectName, dialects } from './all-dialects.ts';
import { anyOutcome } from './any-outcome.ts';

const samples = fc.sample(anyOutcome, { numRuns: 1500, seed: 20261115 }).map((outcome) => JSON.parse(JSON.stringify(outcome)) as Outcome);

/** Every key a strict envelope may have, by the place it lies in. The payload of flat lies at top level, so any key may be there. */
const documented: Readonly<Record<DialectName, Readonly<Record<string, readonly string[]>>>> = {
  flat: {},
  coded: {
    '': ['code', 'message', 'data', 'meta'],
    meta: ['tool', 'execution_time_ms', 'resource_type', 'session_id', 'trace_id'],
  },
  value: { '': ['success', 'value', 'message'] },
  status: {
    '': ['status', 'input', 'data', 'error', 'meta'],
    error: ['type', 'message', 'code', 'cause', 'details', 'retry_after_ms', 'upstream_status', 'endpoint', 'attempt'],
    meta: ['took_ms', 'source_counts', 'routing', 'cache_hit', 'token_usage'],
  },
  mcp: { '': ['content', 'structuredContent', 'isError'] },
  openai: { '': ['role', 'tool_call_id', 'content'] },
  anthropic: { '': ['type', 'tool_use_id', 'content', 'is_error'] },
  gemini: { '': ['functionResponse'], functionResponse: ['id', 'name', 'response'] },
  problem: { '': ['type', 'title', 'status', 'detail', 'instance', 'code', 'errors', 'data', 'pending'] },
};

describe.each(Object.entries(dialects))('%s, written strictly', (_, dialect) => {
  const lost = new Set<string>();
  const unread: unknown[] = [];
  for (const outcome of samples) {
    const decoded = dialect.decode(JSON.parse(JSON.stringify(dialect.encode(outcome, { strict: true }))));
    if (decoded.ok) for (const path of lostPaths(outcome, decoded.outcome)) lost.add(path);
    else unread.push(decoded.failure.message);
  }

  test.each(Object.entries(documented[dialect.name as DialectName]))('has no key at "%s" that is not one of %j', (place, keys) => {
    for (const outcome of samples) {
      const envelope = dialect.encode(outcome, { strict: true }) as Readonly<Record<string, object>>;
      expect(keys).toEqual(expect.arrayContaining(Object.keys((place === '' ? envelope : envelope[place]) ?? {})));
    }
  });

  test('can still be read', () => expect(unread).toEqual([]));

  test('loses exactly what its loss table lists', () => {
    expect([...lost].sort()).toEqual(dialect.losses.map(({ path }) => path).sort());
  });

  test('never turns a failure into a success', () => {
    const failures = samples.filter(({ status }) => status === 'error' || status === 'partial');
    const read = failures.map((outcome) => dialect.decode(dialect.encode(outcome, { strict: true })));
    expect(new Set(read.map((decoded) => decoded.ok && decoded.outcome.status))).toEqual(new Set(['error']));
  });
});
