import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../start-postgres.ts';
import { folderWith, run } from './run-toolpact.ts';

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres({ settings: ['fsync=off'] });
});
afterAll(() => server.remove());

const nodeArguments = ['--import', fileURLToPath(new URL('../telemetry/resolve-peers.mjs', import.meta.url))];

test('processes that share a PostgreSQL store share keys, wherever they run', async () => {
  const words = ['call', 'pay_invoice', '{"invoice":"9","amount":10}', '--sample', '--json'];
  const env = { TOOLPACT_STORE: server.connectionString };
  const ran = [await run(words, { cwd: folderWith(), env, nodeArguments }), await run(words, { cwd: folderWith(), env, nodeArguments })];
  const [first, second] = ran.map(({ stdout }) => JSON.parse(stdout));
  expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(second).toMatchObject({ status: 'ok', data: first.data, meta: { replayed: true } });
});

test('a database that refuses is said, without its password', async () => {
  const address = server.connectionString.replace(/:[^:@]+@/, ':wrong-hunter2@');
  const ran = await run(['call', 'add', '{"a":1,"b":2}', '--sample', '--store', address], { nodeArguments });
  expect(ran).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^error The PostgreSQL store cannot be used: .+\nfix {3}Check the address and that the server runs; or use --store memory\.\n$/,
    ),
  });
  expect(ran.stderr).not.toContain('hunter2');
});

test('without the driver, its installation is the fix', async () => {
  const ran = await run(['call', 'add', '{}', '--sample', '--store', server.connectionString]);
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/\nfix {3}npm install pg\n$/)]);
});
