import { LangfuseOtelSpanAttributes } from '@langfuse/core';
import { isDefaultExportSpan } from '@langfuse/otel';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Results } from './run-scenarios.ts';
import type { SpanData } from './sdk.ts';
import { cells, spawnScenarios } from './spawn-scenarios.ts';

/** The attributes that the server reads, first match first, as its source says (2026-08-22). */
const reads: Readonly<Record<string, readonly string[]>> = {
  session: ['langfuse.session.id', 'session.id', 'gen_ai.conversation.id'],
  user: ['langfuse.user.id', 'user.id'],
  tags: ['langfuse.trace.tags', 'langfuse.tags', 'tag.tags'],
  level: ['langfuse.observation.level'],
  message: ['langfuse.observation.status_message'],
};

function shown({ attributes, status }: SpanData): Record<string, unknown> {
  const read = Object.fromEntries(
    Object.entries(reads).map(([fact, keys]) => [fact, keys.map((key) => attributes[key]).find((value) => value !== undefined)]),
  );
  return {
    ...read,
    type: attributes['gen_ai.operation.name'] === 'execute_tool' ? 'TOOL' : 'SPAN',
    name: attributes['gen_ai.tool.name'],
    level: read.level ?? (status.code === 2 ? 'ERROR' : 'DEFAULT'),
    message: read.message ?? status.message,
  };
}

describe.each(cells)('what Langfuse makes of a call on SDK $line', (cell) => {
  let results: Results;
  beforeAll(async () => {
    results = await spawnScenarios(cell);
  });
  const spanOf = (name: string): SpanData => results[name]?.spans[0] ?? expect.unreachable();

  test('a failed call is a tool with its session, its user, its run as a tag, and an error', () => {
    expect(shown(spanOf('langfuse'))).toEqual({
      type: 'TOOL',
      name: 'forecast',
      session: 's',
      user: 'u',
      tags: ['run:run_1'],
      level: 'ERROR',
      message: 'upstream said no',
    });
  });

  test.each(['langfuse', 'http error', 'unknown tool', 'invalid arguments', 'hang'])(
    '"%s" passes the filter of its own processor',
    (name) => {
      const { attributes, scope } = spanOf(name);
      expect(isDefaultExportSpan({ attributes, instrumentationScope: scope } as never)).toBe(true);
    },
  );
});

test('the names are the ones its own package has', () => {
  expect(LangfuseOtelSpanAttributes).toMatchObject({
    TRACE_COMPAT_SESSION_ID: 'langfuse.session.id',
    TRACE_COMPAT_USER_ID: 'langfuse.user.id',
    TRACE_TAGS: 'langfuse.trace.tags',
  });
});
