import { readFileSync } from 'node:fs';
import { fromJsonSchema } from '@toolpact/openapi';
import type { GatewayRule } from '@toolpact/server';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderWith, run } from './run-toolpact.ts';

const schema = JSON.parse(readFileSync(new URL('../gateway.schema.json', import.meta.url), 'utf8'));
const isAllowed = async (content: unknown): Promise<boolean> => {
  const read = await fromJsonSchema(schema)['~standard'].validate(content);
  return read.issues === undefined;
};
/** Every option that a file can hold, so that one that is added without the schema does not compile, and one that the schema lacks fails. */
const every: Required<Omit<GatewayRule, 'preview'>> = {
  server: 'no*',
  tool: ['a', 'b_*'],
  effects: 'none',
  approval: { ask: 'Delete {path}?', by: ['lead'], fourEyes: true, expiresMs: 60_000, onExpiry: 'deny', grants: false },
  idempotency: { key: ['path'], ttlMs: 1 },
  timeoutMs: 1,
  retry: { attempts: 2, baseMs: 0, maxMs: 1 },
  cache: { ttlMs: 1 },
  deferAfterMs: 1,
  maxResultChars: 10,
  limits: { perMinute: 1, atOnce: 1 },
  redact: { results: true },
  hide: false,
  rename: 'c',
  description: 'C.',
  arguments: { dry_run: true },
  trustHints: true,
  drift: 'warn',
};

test('names every option of a rule, and no other', async () => {
  expect(Object.keys(schema.properties.rules.items.properties).sort()).toEqual(Object.keys(every).sort());
  expect(await isAllowed({ servers: { notes: { command: 'x' } }, rules: [every] })).toBe(true);
});

const file = (rest: string): string => `servers:\n  notes:\n    command: no-such-program\n${rest}`;

test.each([
  ['', true],
  ['    args: [a]\n    env: { KEY: v }\n    cwd: .\nrules: []\ndrift: warn\nsearch: { always: [], above: 5 }\n', true],
  ['  web: { url: http://127.0.0.1:9/mcp, headers: { a: b } }\n', true],
  ['rules: [{ tool: delete_*, approval: true, idempotency: { key: "{path}" }, retry: false }]\n', true],
  ['rules: [{ aproval: true }]\n', false],
  ['rules: [{ approval: 5 }]\n', false],
  ['rules: [{ approval: { asks: true } }]\n', false],
  ['rules: [{ retry: { attempts: 0 } }]\n', false],
  ['rules: [{ retry: { attemps: 2 } }]\n', false],
  ['rules: [{ cache: { ttlMs: -1 } }]\n', false],
  ['rules: [{ idempotency: { key: a, ttl: 5 } }]\n', false],
  ['rules: [{ effects: reads }]\n', false],
  ['rules: [{ limits: { perMinute: 0 } }]\n', false],
  ['rules: [{ redact: { result: true } }]\n', false],
  ['rules: [{ hide: 1 }]\n', false],
  ['rules: [{ arguments: [] }]\n', false],
  ['rules: {}\n', false],
  ['    port: 5\n', false],
  ['    args: [5]\n', false],
  ['    args: a\n', false],
  ['    env: { PORT: 8080 }\n', false],
  ['    cwd: 5\n', false],
  ['    headers: { a: b }\n', false],
  ['    era: old\n', false],
  ['  other: { command: 5 }\n', false],
  ['  other: { command: "" }\n', false],
  ['  other: npx\n', false],
  ['  web: { url: 5 }\n', false],
  ['  web: { url: notes }\n', false],
  ['  web: { url: "file:///etc/passwd" }\n', false],
  ['  web: { url: "http://localhost", headers: { a: 5 } }\n', false],
  ['  web: { url: "http://localhost", args: [a] }\n', false],
  ['    url: http://localhost\n', false],
  ['  9th: { command: x }\n', false],
  ['drift: blok\n', false],
  ['search: { alwyas: [] }\n', false],
  ['search: { above: -1 }\n', false],
])('says of %j what the command says', async (rest, expected) => {
  const text = file(rest);
  expect(await isAllowed(parse(text))).toBe(expected);
  const ran = await run(['wrap', '--config', 'gateway.yaml', '--store', 'memory'], { cwd: folderWith({ 'gateway.yaml': text }) });
  // A file without a mistake gets as far as starting the program, which does not exist.
  expect(ran.stderr.includes('could not be started')).toBe(expected);
  if (!expected) expect(ran.stderr).toMatch(/gateway\.yaml:\d+: /);
});
