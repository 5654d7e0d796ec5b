import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtEntry } from './load-sources.ts';
import { folderWith, type Running, run, start, toolpact } from './run-toolpact.ts';
import { startProcess } from './start-process.ts';

const tools = `
import { appendFileSync } from 'node:fs';
import { defineTool } from '${toolpact}';
const done = new URL('done.txt', import.meta.url);
const input = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
const jsonSchema = { input: { type: 'object' } };
export const order = defineTool({ name: 'order', description: 'Orders.', input, jsonSchema, steps: true, async run({ id }, { step, waitFor }) {
  await step('charge', () => appendFileSync(done, 'charge '));
  const colour = await waitFor('colour', input);
  await step('ship', () => appendFileSync(done, 'ship '));
  return id + ' ' + colour;
} });
`;

const addressOf = async (server: Running): Promise<string> => (await server.until(/listening on (http:\S+?)["\s]/, 'stderr'))[1] ?? '';
const post = async (url: string, body: unknown) => {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return (await answer.json()) as { readonly status: string; readonly pending: { readonly handle: string } };
};

test('a server goes on with a call whose process died while it waited, says so at its start, and stops in order', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  const first = startProcess(['serve', '--port', '0', '--no-worker'], { cwd });
  const asked = await post(`${await addressOf(first)}/v1/tools/order`, { id: 'o1' });
  expect(asked.status).toBe('pending');
  first.kill('SIGKILL');
  expect((await first.ended).stderr).not.toContain('"event":"working"');
  const second = start(['serve', '--port', '0'], { cwd });
  const url = await addressOf(second);
  await second.until(/resuming sleeping, waiting and orphaned calls from the sqlite store \(--no-worker turns this off\)/, 'stderr');
  const { handle } = asked.pending;
  expect(await post(`${url}/v1/pending/${encodeURIComponent(handle)}`, { data: 'red' })).toMatchObject({ status: 'pending' });
  const ended = await run(['wait', handle, '--seconds', '60'], { cwd });
  expect([ended.code, ended.stdout]).toEqual([0, 'o1 red\n']);
  expect(existsSync(join(cwd, 'done.txt')) && readFileSync(join(cwd, 'done.txt'), 'utf8')).toBe('charge ship ');
  second.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
});

test('tools without steps need no worker, nor does a store that ends with the process', async () => {
  const plain = `
import { defineTool } from '${toolpact}';
export const look = defineTool({ name: 'look', description: 'Looks.', effects: 'none', run: () => 'seen' });
`;
  for (const [text, words] of [
    [plain, []],
    [tools, ['--store', 'memory']],
  ] as const) {
    const server = start(['serve', '--port', '0', ...words], { cwd: folderWith({ 'tools.mjs': text }) });
    await addressOf(server);
    server.kill('SIGTERM');
    expect((await server.ended).stderr).not.toContain('"event":"working"');
  }
});

test('a worker names the store whose calls it goes on with: that of the toolbox, where the tools export one', async () => {
  const stores = builtEntry('toolpact/stores/memory');
  const own = `${tools}
import { createToolbox } from '${toolpact}';
import { memoryStore } from '${stores}';
export const toolbox = createToolbox([order], { store: { ...memoryStore(), name: 'postgres', durable: true } });
`.replace('export const order', 'const order');
  const worker = start(['work', 'tools.mjs'], { cwd: folderWith({ 'tools.mjs': own }) });
  await worker.until(/resuming sleeping, waiting and orphaned calls from the postgres store.*"store":"postgres"/, 'stderr');
  worker.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
});
