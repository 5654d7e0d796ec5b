import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../proofs/fixtures/start-postgres.ts';
import { run } from './run-toolpact.ts';
import { runProcess } from './start-process.ts';

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres({ settings: ['fsync=off'] });
});
afterAll(() => server.remove());

const nodeArguments = ['--import', fileURLToPath(new URL('../../toolpact/test/telemetry/resolve-peers.mjs', import.meta.url))];
const peers = new URL('../../../proofs/peers/package.json', import.meta.url).href;

/** Lets this process find the driver, which only proofs/peers has, as if it were installed beside Toolpact. */
function installDriver(): void {
  const hooks = registerHooks({
    resolve: (specifier, context, nextResolve) => nextResolve(specifier, specifier === 'pg' ? { ...context, parentURL: peers } : context),
  });
  onTestFinished(() => hooks.deregister());
}

test('processes that share a PostgreSQL store share keys, wherever they run', async () => {
  const words = ['call', 'pay_invoice', '{"invoice":"9","amount":10}', '--sample', '--json'];
  const env = { TOOLPACT_STORE: server.connectionString };
  installDriver();
  const ran = [await run(words, { env }), await runProcess(words, { env, nodeArguments })];
  const [first, second] = ran.map(({ stdout }) => JSON.parse(stdout));
  expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(second).toMatchObject({ status: 'ok', data: first.data, meta: { replayed: true } });
});

test('a database that refuses is said, without its password', async () => {
  const address = server.connectionString.replace(/:[^:@]+@/, ':wrong-hunter2@');
  installDriver();
  const ran = await run(['call', 'add', '{"a":1,"b":2}', '--sample', '--store', address]);
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
  expect([ran.code, ran.stderr]).toEqual([1, 'error The PostgreSQL store needs the package pg.\nfix   npm install pg\n']);
});
