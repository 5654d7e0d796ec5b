import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { casesOf, invalidInput, timeout, unknownName, unreachable } from '../error-case.ts';
import { afterwards, closedPort, mute, tcp } from '../loopback.ts';
import { postgres } from '../postgres.ts';
import { secrets } from '../secrets.ts';

let prepared: Promise<unknown> | undefined;

async function connect(config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ ...(await postgres()), ...config });
  client.on('error', () => {});
  afterwards(() => client.end());
  await client.connect();
  return client;
}

/** Connects to a database that holds a few tables. */
async function open(config: pg.ClientConfig = {}): Promise<pg.Client> {
  prepared ??= connect().then((client) =>
    client.query(`
      create table city (id int primary key, name varchar(10) not null unique, people int check (people >= 0));
      create table street (id int primary key, city int references city (id));
      create table pair (id int primary key, n int);
      create table counter (id int primary key, n int);
      create table guarded (id int);
      insert into city values (1, 'Kyoto', 5);
      insert into street values (1, 1);
      insert into pair values (1, 0), (2, 0);
      insert into counter values (1, 0);
      create role guest login password '${secrets.password}' connection limit 1;
    `),
  );
  await prepared;
  return connect(config);
}

const query = async (sql: string, config?: pg.ClientConfig) => (await open(config)).query(sql);

/** Runs a long query and lets another connection do something to its backend. */
async function disturb(action: 'pg_cancel_backend' | 'pg_terminate_backend') {
  const [victim, other] = [await open(), await open()];
  const { rows } = await victim.query('select pg_backend_pid() as pid');
  const slept = victim.query('select pg_sleep(5)');
  await Promise.all([slept, delay(40).then(() => other.query(`select ${action}($1)`, [rows[0].pid]))]);
}

export const pgCases = casesOf('pg', [
  { id: 'a unique violation', run: () => query("insert into city values (2, 'Kyoto', 1)"), expect: { kind: 'conflict', retryable: false } },
  {
    id: 'a foreign key without its row',
    run: () => query('insert into street values (2, 99)'),
    expect: { kinds: ['invalid_input', 'conflict', 'not_found'], retryable: false },
  },
  {
    id: 'a row that others still refer to',
    run: () => query('delete from city where id = 1'),
    expect: { kinds: ['conflict', 'invalid_input'], retryable: false },
  },
  { id: 'a missing value', run: () => query('insert into city values (3, null, 1)'), expect: invalidInput },
  { id: 'a check that fails', run: () => query("insert into city values (4, 'Nara', -1)"), expect: invalidInput },
  {
    id: 'a text that is too long',
    run: () => query("insert into city values (5, 'Llanfairpwllgwyngyll', 1)"),
    expect: { kinds: ['invalid_input', 'too_large'] },
  },
  { id: 'a text that is no number', run: () => query("select 'twelve'::int"), expect: invalidInput },
  { id: 'a number out of range', run: () => query('select 3000000000::int'), expect: invalidInput },
  { id: 'a division by zero', run: () => query('select 1 / 0'), expect: invalidInput },
  { id: 'a syntax error', run: () => query('selec 1'), expect: invalidInput },
  { id: 'a missing table', run: () => query('select * from nowhere'), expect: { kinds: ['not_found', 'invalid_input'] } },
  { id: 'a missing column', run: () => query('select colour from city'), expect: { kinds: ['not_found', 'invalid_input'] } },
  {
    id: 'a deadlock',
    run: async () => {
      const [one, two] = [await open(), await open()];
      const bump = (client: pg.Client, id: number) => client.query('update pair set n = n + 1 where id = $1', [id]);
      await Promise.all([one.query('begin'), two.query('begin')]);
      await Promise.all([bump(one, 1), bump(two, 2)]);
      return Promise.all([bump(one, 2), bump(two, 1)]);
    },
    expect: { kind: 'conflict', retryable: true },
  },
  {
    id: 'a serialisation failure',
    run: async () => {
      const [one, two] = [await open(), await open()];
      await one.query('begin isolation level repeatable read');
      await one.query('select * from counter');
      await two.query('update counter set n = n + 1');
      return one.query('update counter set n = n + 1');
    },
    expect: { kind: 'conflict', retryable: true },
  },
  {
    id: 'a lock that is not given in time',
    run: async () => {
      const [holder, waiter] = [await open(), await open()];
      await holder.query('begin; lock table guarded');
      return waiter.query("set lock_timeout = '100ms'; select * from guarded");
    },
    expect: { kinds: ['timeout', 'conflict'], retryable: true },
  },
  { id: 'a statement over its time', run: () => query('select pg_sleep(5)', { statement_timeout: 120 }), expect: timeout },
  { id: 'a query over its time in the client', run: () => query('select pg_sleep(2)', { query_timeout: 120 }), expect: timeout },
  { id: 'a statement that somebody cancels', run: () => disturb('pg_cancel_backend'), expect: { kind: 'cancelled' } },
  {
    id: 'a connection that an administrator ends',
    run: () => disturb('pg_terminate_backend'),
    expect: { kinds: ['unreachable', 'upstream'], retryable: 'either' },
  },
  {
    id: 'a transaction that has failed before',
    run: async () => {
      const client = await open();
      await client.query('begin');
      await client.query('select 1 / 0').catch(() => {});
      return client.query('select 1');
    },
    expect: { kinds: ['internal', 'conflict'], retryable: 'either' },
  },
  {
    id: 'a write in a read-only transaction',
    run: () => query('begin read only; delete from pair'),
    expect: { kinds: ['forbidden', 'unsupported'] },
  },
  { id: 'a role without the privilege', run: () => query('set role guest; select * from city'), expect: { kind: 'forbidden' } },
  {
    id: 'too many connections of a role',
    run: () => Promise.all([open({ user: 'guest' }), open({ user: 'guest' })]),
    expect: { kinds: ['rate_limited', 'not_ready', 'upstream'], retryable: true },
  },
  { id: 'a wrong password', run: () => connect({ password: 'wrong' }), expect: { kind: 'unauthenticated' } },
  {
    id: 'no password at all',
    run: () => connect({ password: undefined as never }),
    expect: { kinds: ['not_configured', 'unauthenticated'] },
  },
  { id: 'a database that does not exist', run: () => connect({ database: 'nowhere' }), expect: { kinds: ['not_found', 'not_configured'] } },
  {
    id: 'a server without TLS',
    run: () => connect({ ssl: true }),
    expect: { kinds: ['unreachable', 'not_configured', 'unsupported'], retryable: false },
  },
  {
    id: 'a client that was ended',
    run: async () => {
      const client = await open();
      await client.end();
      return client.query('select 1');
    },
    expect: { kinds: ['not_ready', 'unreachable', 'internal'], retryable: 'either' },
  },
  {
    id: 'a pool without a free connection',
    run: async () => {
      const pool = new pg.Pool({ ...(await postgres()), max: 1 });
      const held = await pool.connect();
      // Only the second connection is waited for in vain.
      Object.assign((pool as unknown as { options: object }).options, { connectionTimeoutMillis: 150 });
      return pool.connect().finally(() => {
        held.release();
        return pool.end();
      });
    },
    expect: { kinds: ['timeout', 'not_ready'], retryable: true },
  },
  { id: 'a closed port', run: async () => connect({ port: await closedPort() }), expect: unreachable },
  { id: 'an unknown host', run: () => connect({ host: 'no-such-host.invalid' }), expect: unknownName },
  {
    id: 'a server that never answers',
    run: async () => connect({ port: (await mute()).port, connectionTimeoutMillis: 120 }),
    expect: timeout,
  },
  {
    id: 'a server that hangs up',
    run: async () => connect({ port: (await tcp((socket) => socket.once('data', () => socket.end()))).port }),
    expect: unreachable,
  },
]);
