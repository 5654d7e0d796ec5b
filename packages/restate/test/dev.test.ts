import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith, post, toolpact } from '../../cli/test/run-toolpact.ts';
import { startProcess } from '../../cli/test/start-process.ts';

const peers = fileURLToPath(new URL('../../../proofs/peers/node_modules', import.meta.url));
const hooks = fileURLToPath(new URL('../../../scripts/resolve-peers.ts', import.meta.url));

const file = `
import { defineTool } from '${toolpact}';
const any = { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) } };
export const order = defineTool({
  name: 'order', description: 'Orders.', input: any, jsonSchema: { input: { type: 'object' } }, effects: 'writes', steps: true,
  run: (_, ctx) => ctx.step('charge', (key) => key),
});
`;

test('`toolpact dev --engine restate` starts an engine, prints its page and runs calls on it', async () => {
  const cwd = folderWith({ 'tools.mjs': file });
  symlinkSync(peers, join(cwd, 'node_modules'));
  const dev = startProcess(['dev', 'tools.mjs', '--port', '0', '--engine', 'restate', '--store', 'memory'], {
    cwd,
    nodeArguments: ['--import', hooks],
  });
  const [, page = ''] = await dev.until(/Engine +Restate, (\S+)/, 'stdout');
  const [, url = ''] = await dev.until(/Local +(\S+)/, 'stdout');
  expect(await (await fetch(page)).text()).toContain('<html');
  const { body } = await post(url, 'order', {});
  expect(body).toMatchObject({ status: 'ok', data: expect.stringMatching(/\/charge$/) });
  // A caller may have looked at the call too, while it ran.
  const query = await fetch(page.replace('/ui', '/query'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: "SELECT target_handler_name, status FROM sys_invocation WHERE target_handler_name = 'run'" }),
  });
  expect(await query.json()).toEqual({ rows: [{ target_handler_name: 'run', status: 'completed' }] });
  dev.kill('SIGINT');
  expect(await dev.ended).toMatchObject({ code: 0 });
});
