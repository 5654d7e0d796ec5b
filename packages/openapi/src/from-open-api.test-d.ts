import { createToolbox, type Outcome } from 'toolpact';
import { expectTypeOf } from 'vitest';
import { fromOpenApi } from './index.ts';
import type { OpenApiOperation } from './open-api-options.ts';

const { tools, skipped } = fromOpenApi(
  { openapi: '3.1.0' },
  {
    auth: {
      key: process.env.API_KEY,
      login: { username: 'a', password: 'b' },
      bearer: async ({ tenantId, auth }, scheme) => {
        expectTypeOf(tenantId).toEqualTypeOf<string>();
        expectTypeOf(scheme).toEqualTypeOf<string>();
        return auth?.token as string | undefined;
      },
    },
    include: ({ tags, method }) => tags.includes('pets') && method === 'GET',
    override: (operation) => {
      expectTypeOf(operation).toEqualTypeOf<OpenApiOperation>();
      return { effects: 'none', idempotency: { key: ({ id }: { id: string }) => id } };
    },
    preset: { version: '1', tenant: ({ tenantId }) => tenantId },
  },
);
expectTypeOf(skipped).toEqualTypeOf<readonly { readonly operation: string; readonly why: string }[]>();
expectTypeOf(await createToolbox(tools).answer({ name: 'a' })).toEqualTypeOf<Outcome>();
const outcome = await tools[0]?.call({ id: 1 });
if (outcome?.status === 'ok') expectTypeOf(outcome.data).toEqualTypeOf<unknown>();

// @ts-expect-error effects are a closed set
fromOpenApi({}, { override: () => ({ effects: 'some' }) });
// @ts-expect-error a document is an object or a text
fromOpenApi(5);
