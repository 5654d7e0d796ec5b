import { EventEmitter } from 'node:events';
import { apiKeys, createServer, hashApiKey } from '@toolpact/server';
import { createToolbox } from 'toolpact';
import { sleep } from 'toolpact/internal';
import { memoryStore } from 'toolpact/stores/memory';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import type { Given } from '../command.ts';
import { callCommands } from './call-commands.ts';

skipTime();
afterEach(() => void vi.unstubAllGlobals());

const tenant = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';

/** A server that answers every request after a time, and notes the tenants that it was asked for. */
function answerAfter(ms: number): (string | null)[] {
  const tenants: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: string, { headers, signal }: { readonly headers: Headers; readonly signal: AbortSignal }) => {
    tenants.push(headers.get('x-tenant-id'));
    await sleep(ms, signal);
    signal.throwIfAborted();
    return Response.json({ status: 'ok', data: 'done', meta: { tookMs: 1, attempts: 1 }, calls: [], approvals: [] });
  });
  return tenants;
}

async function run(
  name: string,
  words: readonly string[],
  flags: readonly (readonly [string, string])[],
  env: object = {},
): Promise<number> {
  const terminal = {
    env,
    signals: new EventEmitter(),
    out: async () => undefined,
    say: () => undefined,
    paint: String,
    outPaint: String,
  };
  const given = { terminal, words, flags: new Map([['url', 'http://127.0.0.1:8787'], ...flags]), settings: { setBy: new Map() } };
  const command = await callCommands[name]?.load();
  return command?.(given as unknown as Given) ?? -1;
}

test.each([
  ['calls', []],
  ['approvals', []],
  ['cancel', ['call_1']],
  ['settle', ['call_1', '1']],
  ['wait', ['call_1']],
  ['rerun', ['call_1']],
])('%s asks the server for the calls of the tenant that is named', async (name, words) => {
  const tenants = answerAfter(0);
  // It does not matter here how a command takes so bare an answer.
  await run(name, words, [['tenant', tenant]]).catch(() => undefined);
  expect([tenants.length > 0, new Set(tenants)]).toEqual([true, new Set([tenant])]);
});

test.each([
  ['settle', ['call_1', '1']],
  ['rerun', ['call_1']],
])('%s waits for a call of the server for as long as it takes', async (name, words) => {
  answerAfter(3_600_000);
  expect(await run(name, words, [])).toBe(0);
});

test.each([
  ['no key', undefined, 'Set TOOLPACT_API_KEY to a key that the server accepts.'],
  ['a key of callers', [], 'Set TOOLPACT_API_KEY to a key that has it. `toolpact key <tenant> approvals:decide` creates one.'],
])('approvals of a server, with %s, say how to get in', async (_, scopes, fix) => {
  const key = 'a-key-of-acme-with-enough-characters';
  const auth = apiKeys([{ keyId: 'acme', hash: hashApiKey(key), tenantId: tenant, scopes: scopes ?? [] }]);
  const toolbox = createToolbox([], { store: memoryStore() });
  const server = createServer(toolbox, { auth, auditLog: false });
  onTestFinished(() => server.close());
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => server.fetch(new Request(url, init)));
  const listed = run('approvals', [], [], scopes === undefined ? {} : { TOOLPACT_API_KEY: key });
  await expect(listed).rejects.toMatchObject({ fix });
});
