import { expectTypeOf } from 'vitest';
import { defineConfig, type ToolpactConfig } from './define-config.ts';

expectTypeOf<ToolpactConfig['port']>().toEqualTypeOf<number | undefined>();
expectTypeOf<ToolpactConfig['listCalls']>().toEqualTypeOf<boolean | undefined>();
expectTypeOf<ToolpactConfig['tools']>().toEqualTypeOf<string | readonly string[] | undefined>();
expectTypeOf<ToolpactConfig['log']>().toEqualTypeOf<'pretty' | 'json' | 'off' | undefined>();
expectTypeOf<ToolpactConfig['store']>().toEqualTypeOf<string | undefined>();

defineConfig({ tools: ['a.ts', 'b.ts'], port: 8080, expose: 'authored', apiKeys: process.env.KEYS });
// @ts-expect-error: no such field
defineConfig({ prot: 8080 });
// @ts-expect-error: no such choice
defineConfig({ log: 'xml' });
// @ts-expect-error: a number is needed
defineConfig({ port: '8080' });
