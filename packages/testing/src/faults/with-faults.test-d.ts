import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { withFaults } from './with-faults.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  failures: { too_much: 'too_large' },
  run: ({ a, b }) => ({ sum: a + b }),
});
const toolbox = createToolbox([add], { store: memoryStore() });

// The subject comes back as the same type: a tool, tools, a toolbox with what its guards and its store add, fetch.
expectTypeOf(withFaults(add, { kind: 'timeout' })).toEqualTypeOf<typeof add>();
expectTypeOf(withFaults([add], { hang: true })).toExtend<readonly [typeof add]>();
expectTypeOf(withFaults(toolbox, [{ tool: 'add', call: 2, kind: 'rate_limited', retryAfterMs: 10, effect: 'unknown' }], 7)).toEqualTypeOf<
  typeof toolbox
>();
expectTypeOf(withFaults(toolbox, { rate: 0.2, kind: 'unreachable' }, 'seed').approvals).toEqualTypeOf<(typeof toolbox)['approvals']>();
expectTypeOf(withFaults(fetch, { status: 503, at: 'after' })).toEqualTypeOf<typeof fetch>();

// @ts-expect-error no such kind
withFaults(add, { kind: 'tired' });
// @ts-expect-error a tool answers with no status
withFaults(add, { status: 503 });
// @ts-expect-error a request cannot be struck while it goes on
withFaults(fetch, { status: 503, at: 'during' });
// @ts-expect-error nothing strikes
withFaults(add, { rate: 0.5 });
// @ts-expect-error no such moment
withFaults(add, { crash: 'at-noon' });
