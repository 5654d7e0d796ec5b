import fc from 'fast-check';
import type { JsonObject } from 'toolpact';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { diffSchemas } from '../lock/diff-schemas.ts';
import { lockTools } from '../lock/lock-tools.ts';
import { reportOnTools } from './check-tools.ts';
import type { ToolSubject } from './tool-subject.ts';

skipTime();

const keyword = fc.constantFrom(
  'type',
  'properties',
  'items',
  'anyOf',
  'allOf',
  '$ref',
  '$defs',
  'enum',
  'required',
  'minimum',
  'maxLength',
  'pattern',
  'additionalProperties',
  'not',
  'description',
);
const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.dictionary(
    keyword,
    fc.oneof(
      { maxDepth: 3 },
      fc.jsonValue(),
      fc.constantFrom('#', '#/$defs/type', 'object', 'array', 'constructor'),
      tie('schema'),
      fc.array(tie('schema'), { maxLength: 2 }),
      fc.dictionary(fc.string(), tie('schema'), { maxKeys: 2 }),
    ),
    { maxKeys: 5 },
  ) as never,
}));
const listing = fc.record(
  {
    name: fc.oneof(fc.string(), fc.constant('tool'), fc.constant('__proto__')),
    description: fc.oneof(fc.string(), fc.jsonValue()),
    effects: fc.constantFrom('none', 'idempotent', 'sometimes'),
    inputSchema: fc.oneof(schema, fc.jsonValue()),
    outputSchema: schema,
    examples: fc.oneof(fc.array(fc.jsonValue()), fc.constant(null)),
  },
  { requiredKeys: [] },
);
const answer = fc.oneof(
  fc.jsonValue(),
  fc.record({
    status: fc.constantFrom('ok', 'error', 'pending', 'partial'),
    data: fc.jsonValue(),
    error: fc.jsonValue(),
    meta: fc.constant({ tookMs: 1, attempts: 1 }),
  }),
);

test('whatever a subject lists and answers, its trial ends with a report', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(listing, { maxLength: 3 }), answer, async (tools, said) => {
      const subject = { list: () => tools, answer: async () => said } as unknown as ToolSubject;
      const report = await reportOnTools(subject, { timeoutMs: 20, graceMs: 20 });
      expect(report.tools).toHaveLength(tools.length);
      expect(JSON.parse(JSON.stringify(report))).toEqual(JSON.parse(JSON.stringify(report)));
    }),
    propertyRuns(60),
  );
});

test('whatever two schemas are, their difference is reported, and there is none between equals', () => {
  fc.assert(
    fc.property(schema, schema, (before, after) => {
      expect(diffSchemas(before, structuredClone(before))).toEqual([]);
      expect(Array.isArray(diffSchemas(before, after))).toBe(true);
    }),
    propertyRuns(1_000),
  );
});

test('tools that are listed without sense are locked all the same', async () => {
  const lock = await lockTools({
    list: () => [{ name: '__proto__', description: 'x', effects: 'none', inputSchema: {}, examples: [], providerName: 'x' }],
  });
  expect(Object.keys(lock.tools)).toEqual(['__proto__']);
});

test('no secret of an answer is repeated by the report', async () => {
  const subject: ToolSubject = {
    list: () => [
      {
        name: 'tell',
        providerName: 'tell',
        description: 'Tells everything it knows.',
        effects: 'none',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'null' },
        examples: [],
      },
    ],
    answer: async (_, context) => ({
      status: 'ok',
      data: { all: `hunter2hunter2 ${JSON.stringify(context?.auth)} sk-abcdefghijklmnop1234` },
      meta: { tookMs: 1, attempts: 1 },
    }),
  };
  const { findings } = await reportOnTools(subject, { secrets: { PASSWORD: 'hunter2hunter2' } });
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['tools/output-kept', 'tools/no-secrets']));
  expect(JSON.stringify(findings)).not.toMatch(/hunter2hunter2|canary-1|sk-abcdef/);
});
