import type { JsonObject } from 'toolpact';

/** Answers that a tool should never give. */
export type MalformedAnswer = 'undefined' | 'null' | 'circular' | 'bigint' | 'function' | 'throwing-getter' | 'wrong-schema' | 'huge';

/** Creates a malformed answer; `output` is the schema that it is to break. */
export const malformedAnswers: Readonly<Record<MalformedAnswer, (output: JsonObject | undefined) => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  circular: () => {
    const ring: { self?: unknown } = {};
    ring.self = ring;
    return ring;
  },
  bigint: () => ({ count: 9_007_199_254_740_993n }),
  function: () => () => 'not an answer',
  'throwing-getter': () => ({
    get value() {
      throw new Error('the getter of an answer threw');
    },
  }),
  // No schema of an object takes a text, and hardly one of anything else takes this object.
  'wrong-schema': (output) => (output?.type === 'object' ? 'not what was promised' : { 'not what was promised': true }),
  huge: () => 'x'.repeat(10 * 1024 * 1024),
};
