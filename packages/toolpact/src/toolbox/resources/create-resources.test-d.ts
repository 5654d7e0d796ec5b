import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import { defineResource, type Resource } from '../../contract/index.ts';
import type { JsonObject } from '../../outcome/index.ts';
import { defineTool } from '../../runtime/index.ts';

interface Kernel {
  readonly run: (code: string) => Promise<string>;
  readonly shutdown: () => void;
}
declare function startKernel(options: { signal: AbortSignal; image?: string }): Promise<Kernel>;

// The value is what `open` gives, and `close` gets it.
const kernel = defineResource({
  type: 'kernel',
  config: z.object({ image: z.string().default('small') }),
  open: ({ signal, config }) => {
    expectTypeOf(config).toEqualTypeOf<{ image: string }>();
    return startKernel({ signal, image: config.image });
  },
  close: (opened) => opened.shutdown(),
});
expectTypeOf(kernel).toEqualTypeOf<Resource<Kernel>>();

const plain = defineResource({
  type: 'plain',
  open: ({ config }) => {
    expectTypeOf(config).toEqualTypeOf<JsonObject>();
    return 1;
  },
});
expectTypeOf(plain).toEqualTypeOf<Resource<number>>();

const times = { ttlMs: 1, openTimeoutMs: 2 };
const close = (_: Kernel): void => undefined;
const spread = defineResource({ type: 'spread', ...times, open: ({ signal }) => startKernel({ signal }), close });
expectTypeOf(spread).toEqualTypeOf<Resource<Kernel>>();

// Any resource is a resource of something.
const list: readonly Resource[] = [kernel, plain, spread];
void list;

defineResource({
  type: 'wrong',
  open: () => 1,
  // @ts-expect-error: a number has no such method
  close: (opened) => opened.shutdown(),
});

// A tool gets what its definition says, and something unknown by name.
defineTool({
  name: 'use',
  description: 'Uses both.',
  resource: [kernel, 'plain'],
  async run(_, ctx) {
    expectTypeOf(await ctx.resource(kernel)).toEqualTypeOf<Kernel>();
    expectTypeOf(await ctx.resource('kernel')).toEqualTypeOf<unknown>();
    return null;
  },
});
