import { Redis } from 'ioredis';
import { casesOf, type Expectation, invalidInput, timeout, unreachable } from '../error-case.ts';
import { afterwards, closedPort, mute, tcp } from '../loopback.ts';
import { secrets } from '../secrets.ts';

interface Options {
  readonly host?: string;
  readonly commandTimeout?: number;
  readonly maxRetriesPerRequest?: number;
  readonly retryStrategy?: () => number | null;
}

function client(port: number, options: Options = {}): Redis {
  const made = new Redis({
    host: '127.0.0.1',
    port,
    password: secrets.password,
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    ...options,
  });
  made.on('error', () => {});
  afterwards(() => made.disconnect());
  return made;
}

/** A Redis that welcomes everybody and gives one answer to every other command; null hangs up. */
async function redis(answer: string | null): Promise<number> {
  const welcome = /^(auth|client|select|hello|info|multi|exec)$/i;
  const { port } = await tcp((socket) =>
    socket.on('data', (chunk) => {
      for (const [, command = ''] of chunk.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        if (welcome.test(command)) socket.write('+OK\r\n');
        else if (answer === null) socket.end();
        else socket.write(`${answer}\r\n`);
      }
    }),
  );
  return port;
}

/** All that ioredis says of a connection that failed is that it is closed. */
const closed: Expectation = { kinds: ['unreachable', 'not_ready'], retryable: true };

const says = async (line: string) => client(await redis(`-${line}`)).set('k', 'v');

export const ioredisCases = casesOf('ioredis', [
  {
    id: 'a key of another type',
    run: () => says('WRONGTYPE Operation against a key holding the wrong kind of value'),
    expect: invalidInput,
  },
  { id: 'a value that is no integer', run: () => says('ERR value is not an integer or out of range'), expect: invalidInput },
  { id: 'a wrong number of arguments', run: () => says("ERR wrong number of arguments for 'set' command"), expect: invalidInput },
  {
    id: 'an unknown command',
    run: () => says("ERR unknown command 'JSON.GET', with args beginning with: 'k' "),
    expect: { kinds: ['unsupported', 'invalid_input'] },
  },
  { id: 'no authentication', run: () => says('NOAUTH Authentication required.'), expect: { kind: 'unauthenticated' } },
  {
    id: 'a wrong password',
    run: () => says('WRONGPASS invalid username-password pair or user is disabled.'),
    expect: { kind: 'unauthenticated' },
  },
  {
    id: 'a user without permission',
    run: () => says("NOPERM User agent has no permissions to run the 'set' command"),
    expect: { kind: 'forbidden' },
  },
  {
    id: 'a server that is loading',
    run: () => says('LOADING Redis is loading the dataset in memory'),
    expect: { kind: 'not_ready', retryable: true },
  },
  {
    id: 'a server that is busy',
    run: () => says('BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.'),
    expect: { kinds: ['not_ready', 'upstream'], retryable: true },
  },
  {
    id: 'a read-only replica',
    run: () => says("READONLY You can't write against a read only replica."),
    expect: { kinds: ['forbidden', 'unsupported'], retryable: 'either' },
  },
  {
    id: 'a full memory',
    run: () => says("OOM command not allowed when used memory > 'maxmemory'."),
    expect: { kinds: ['upstream', 'budget_exhausted'], retryable: 'either' },
  },
  { id: 'a missing script', run: () => says('NOSCRIPT No matching script. Please use EVAL.'), expect: { kind: 'not_found' } },
  {
    id: 'a group that exists',
    run: () => says('BUSYGROUP Consumer Group name already exists'),
    expect: { kind: 'conflict', retryable: false },
  },
  {
    id: 'a cluster that is down',
    run: () => says('CLUSTERDOWN The cluster is down'),
    expect: { kinds: ['upstream', 'not_ready'], retryable: true },
  },
  {
    id: 'a slot that is moving',
    run: () => says('TRYAGAIN Multiple keys request during rehashing of slot'),
    expect: { kinds: ['not_ready', 'upstream'], retryable: true },
  },
  {
    id: 'a primary that is down',
    run: () => says("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."),
    expect: { kinds: ['not_ready', 'upstream', 'unreachable'], retryable: true },
  },
  {
    id: 'too many clients',
    run: () => says('ERR max number of clients reached'),
    expect: { kinds: ['rate_limited', 'upstream'], retryable: true },
  },
  {
    id: 'a discarded transaction',
    run: () => says('EXECABORT Transaction discarded because of previous errors.'),
    expect: { kinds: ['invalid_input', 'conflict', 'internal'], retryable: 'either' },
  },
  { id: 'a closed port', run: async () => client(await closedPort()).get('k'), expect: closed },
  {
    id: 'retries that are used up',
    run: async () => client(await closedPort(), { maxRetriesPerRequest: 1, retryStrategy: () => 10 }).get('k'),
    expect: unreachable,
  },
  { id: 'an unknown host', run: () => client(6379, { host: 'no-such-host.invalid' }).connect(), expect: closed },
  {
    id: 'a server that stays silent',
    run: async () => client((await mute()).port, { commandTimeout: 120 }).get('k'),
    expect: timeout,
  },
  { id: 'a server that hangs up', run: async () => client(await redis(null)).get('k'), expect: closed },
  {
    id: 'a connection that was closed',
    run: async () => {
      const closed = client(await redis('+OK'));
      await closed.connect();
      closed.disconnect();
      return closed.get('k');
    },
    expect: { kinds: ['unreachable', 'not_ready', 'cancelled'], retryable: 'either' },
  },
  {
    id: 'an answer that is not Redis',
    run: async () =>
      client((await tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))).port).get('k'),
    expect: { kinds: ['bad_response', 'unreachable'], retryable: 'either' },
  },
]);
