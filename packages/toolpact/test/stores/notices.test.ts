import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { usePostgres } from '../../../../proofs/fixtures/use-postgres.ts';
import { useProgram } from '../../../../proofs/fixtures/use-program.ts';
import { noTenant } from '../../src/contract/index.ts';
import type { Notice } from '../../src/ports/index.ts';
import { openStore, type StoreAddress } from './open-store.ts';

const { folder, connectionString } = usePostgres('notices');
const program = useProgram(new URL('notify.ts', import.meta.url));
const children = new Set<ChildProcess>();
const servers = new Set<Server>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a receiver that keeps what it was sent, and may do something before it answers. */
async function startReceiver(before: (count: number) => void = () => undefined) {
  const got: { readonly id: string; readonly type: Notice['type']; readonly handle: string }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { type, data } = (await json(request)) as Pick<Notice, 'type' | 'data'>;
    got.push({ id: String(request.headers['webhook-id']), type, handle: data.handle });
    before(got.length);
    response.writeHead(204).end();
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  servers.add(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

function start(...words: readonly string[]): ChildProcess {
  const child = fork(program(), words, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  children.add(child);
  return child;
}

/** Lets processes send what is due, at the same moment. */
async function lookAtOnce(count: number, address: StoreAddress, url: string, aheadMs = 0): Promise<void> {
  const lookers = Array.from({ length: count }, () => start(JSON.stringify(address), url, 'look', String(aheadMs)));
  await Promise.all(lookers.map((looker) => once(looker, 'message')));
  const ends = lookers.map((looker) => once(looker, 'exit'));
  for (const looker of lookers) looker.send('go');
  expect((await Promise.all(ends)).map(([code]) => code)).toEqual(lookers.map(() => 0));
}

/** Gives the handles of all questions that a store holds. */
async function handlesIn(address: StoreAddress): Promise<string[]> {
  const store = openStore(address);
  const questions = await store.calls?.questions({ tenant: noTenant, kind: 'approval', limit: 10_000 });
  await store.close();
  return (questions ?? []).map(({ handle }) => handle).toSorted();
}

const stores: readonly (readonly [name: string, address: (name: string) => StoreAddress])[] = [
  ['sqlite', (name) => ({ path: join(folder, `${name}.db`) })],
  ['postgres', (schema) => ({ connectionString: connectionString(), schema })],
];

describe.each(stores)('on %s', (_, addressOf) => {
  test('processes that look at once send each notice once', async () => {
    const address = addressOf('at_once');
    const receiver = await startReceiver();
    await once(start(JSON.stringify(address), receiver.url, '40', '0', 'silent'), 'exit');
    expect(receiver.got).toEqual([]);
    await lookAtOnce(3, address, receiver.url);
    const ids = receiver.got.map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([40, 40]);
    expect(receiver.got.map(({ handle }) => handle).toSorted()).toEqual(await handlesIn(address));
  });
});

test('a process that is killed at any moment loses no question, and none comes under two ids', async () => {
  let repeated = 0;
  for (let round = 0; round < 6; round += 1) {
    const address: StoreAddress = { path: join(folder, `killed-${round}.db`) };
    let asking: ChildProcess | undefined;
    const killAt = 1 + Math.floor(Math.random() * 20);
    const receiver = await startReceiver((count) => {
      if (count === killAt) asking?.kill('SIGKILL');
    });
    asking = start(JSON.stringify(address), receiver.url, '1000');
    await once(asking, 'exit');
    // By a clock on which what the dead process had taken is free again.
    await lookAtOnce(2, address, receiver.url, 61_000);
    const handles = await handlesIn(address);
    const byHandle = new Map(handles.map((handle) => [handle, receiver.got.filter((one) => one.handle === handle).map(({ id }) => id)]));
    expect([...byHandle].filter(([, ids]) => ids.length === 0)).toEqual([]);
    expect([...byHandle].filter(([, ids]) => new Set(ids).size !== 1)).toEqual([]);
    repeated += receiver.got.length - handles.length;
  }
  // The one whose receiver had it and whose sender was killed comes again, under the same id.
  expect(repeated).toBeGreaterThan(0);
});
