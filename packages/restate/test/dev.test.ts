import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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

const crashing = `
import { appendFileSync, readFileSync } from 'node:fs';
import { defineTool } from '${toolpact}';
const log = new URL('log.txt', import.meta.url);
const any = { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) } };
const write = (word) => appendFileSync(log, word + ' ' + process.pid + '\\n');
export const order = defineTool({
  name: 'order', description: 'Orders.', input: any, jsonSchema: { input: { type: 'object' } }, effects: 'writes', steps: true, timeoutMs: 120_000,
  async run(_, { step }) {
    await step('charge', () => write('charge'));
    // Hangs in as many processes as it is told to.
    await step('ship', async () => {
      write('ship');
      if (readFileSync(log, 'utf8').match(/ship/g).length <= 2) await new Promise(() => undefined);
      write('shipped');
    }, { effects: 'idempotent' });
    return 'done';
  },
});
`;

test('a call whose process died goes on after a reload, and after the command was started again', async () => {
  const cwd = folderWith({ 'tools.mjs': crashing });
  symlinkSync(peers, join(cwd, 'node_modules'));
  const startDev = () =>
    startProcess(['dev', 'tools.mjs', '--port', '0', '--engine', 'restate', '--store', 'memory'], {
      cwd,
      nodeArguments: ['--import', hooks],
    });
  const log = (): string => (existsSync(join(cwd, 'log.txt')) ? readFileSync(join(cwd, 'log.txt'), 'utf8') : '');
  const words = (): string[] =>
    log()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
  const lastPid = (): number => Number(/(\d+)\n$/.exec(log())?.[1]);

  const first = startDev();
  const [, url = ''] = await first.until(/Local +(\S+)/, 'stdout');
  await first.until(/Ctrl-C stops/, 'stdout');
  // Nobody waits for the answer: the process that would give it dies.
  post(url, 'order', {}).catch(() => undefined);
  await expect.poll(words).toEqual(['charge', 'ship', '']);
  process.kill(lastPid(), 'SIGKILL');
  await first.until(/the server process exited/, 'stderr');
  writeFileSync(join(cwd, 'tools.mjs'), `${crashing}\n`);
  await first.until(/tools\.mjs changed: 1 tool loaded/, 'stderr');
  await expect.poll(words).toEqual(['charge', 'ship', 'ship', '']);
  process.kill(lastPid(), 'SIGKILL');
  await first.until(/the server process exited[\s\S]*the server process exited/, 'stderr');
  first.kill('SIGINT');
  await first.ended;

  const second = startDev();
  await second.until(/Ctrl-C stops/, 'stdout');
  await expect.poll(words).toEqual(['charge', 'ship', 'ship', 'ship', 'shipped', '']);
  second.kill('SIGINT');
  expect(await second.ended).toMatchObject({ code: 0 });
});

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
