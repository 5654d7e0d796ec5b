import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, run, start, toolpact } from './run-toolpact.ts';

const tools = `
import { appendFileSync, existsSync } from 'node:fs';
import { defineTool, fail } from '${toolpact}';
const input = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
const jsonSchema = { input: { type: 'object' } };
const here = (name) => new URL(name, import.meta.url);
const note = (word) => appendFileSync(here('done.txt'), word + ' ');
export const order = defineTool({ name: 'order', description: 'Orders.', input, jsonSchema, steps: true, async run({ id }, { step }) {
  await step('charge', () => note('charge'));
  await step('ship', () => { if (!existsSync(here('open'))) throw fail('upstream', 'The post is closed.', { effect: 'none' }); note('ship'); }, { effects: 'idempotent' });
  return id;
} });
`;

test('a failed call is run again from a step, here and through a server', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  const done = () => (existsSync(join(cwd, 'done.txt')) ? readFileSync(join(cwd, 'done.txt'), 'utf8').trim() : '');
  const failed = await run(['call', 'order', '{"id":"o1"}', '--json'], { cwd });
  const { meta } = JSON.parse(failed.stdout) as { readonly meta: { readonly invocationId: string } };
  const id = meta.invocationId;
  const unknown = await run(['rerun', id, '--from', 'shop', '--json'], { cwd });
  expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { kind: 'invalid_input', details: { steps: ['charge', 'ship'] } } });
  const server = start(['serve', '--port', '0'], { cwd });
  const [, url = ''] = await server.until(/listening on (http:\S+?)["\s]/, 'stderr');
  const closed = await run(['rerun', id, '--url', url], { cwd });
  expect(closed.stderr).toContain('The post is closed.');
  writeFileSync(join(cwd, 'open'), '');
  expect(await run(['rerun', id, '--from', 'ship'], { cwd })).toMatchObject({ code: 0, stdout: 'o1\n' });
  expect(done()).toBe('charge ship');
  expect((await run(['rerun', id, '--url', url], { cwd })).stderr).toContain('has succeeded');
  const listed = JSON.parse((await run(['calls', '--status', 'ok', '--json'], { cwd })).stdout);
  expect(listed.calls).toMatchObject([{ tool: 'order', rerunOf: id, rerunFrom: 'ship' }]);
  server.kill('SIGTERM');
  await server.ended;
});

test('it needs an id', async () => {
  expect((await run(['rerun'])).code).toBe(2);
});
