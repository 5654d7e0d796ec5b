import dgram from 'node:dgram';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { cancelled, casesOf, cutOff, timeout, unknownName, unreachable } from '../error-case.ts';
import { afterwards, closedPort, garbage, hang, hangup, mute, refused, reset, tcp, truncated } from '../loopback.ts';
import { withKey } from '../secrets.ts';

/** Rejects with the error that an emitter reports. */
const failureOf = (emitter: NodeJS.EventEmitter) => once(emitter, 'an event that never comes');

const twoAddresses: net.LookupFunction = (_name, _options, callback) =>
  callback(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);

const get = async (origin: string) => failureOf(http.get(withKey(origin)));

export const netCases = casesOf('node:net', [
  { id: 'a closed port', run: async () => failureOf(net.connect(await closedPort(), '127.0.0.1')), expect: unreachable },
  {
    id: 'a closed port behind a name with several addresses',
    run: async () =>
      failureOf(net.connect({ host: 'two.example.test', port: await closedPort(), autoSelectFamily: true, lookup: twoAddresses })),
    expect: unreachable,
  },
  {
    id: 'a peer that resets the connection',
    run: async () => {
      const { port } = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
      const socket = net.connect(port, '127.0.0.1', () => socket.write('hello'));
      return failureOf(socket);
    },
    expect: unreachable,
  },
  {
    id: 'a write after the peer has gone',
    run: async () => {
      const { port } = await tcp((socket) => socket.destroy());
      const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.resume();
      const failed = failureOf(socket);
      const writes = setInterval(() => socket.write('anybody there?'), 10);
      return failed.finally(() => clearInterval(writes));
    },
    expect: unreachable,
  },
  {
    id: 'a socket path where nobody listens',
    run: () => failureOf(net.connect('/tmp/library-errors-no-such.sock')),
    expect: { kinds: ['unreachable', 'not_found'], retryable: 'either' },
  },
  { id: 'a port number that cannot be', run: () => net.connect(99_999), expect: { kinds: ['invalid_input', 'internal'] } },
  {
    id: 'an address that is taken',
    run: async () => {
      const { port } = await mute();
      return failureOf(net.createServer().listen(port, '127.0.0.1'));
    },
    expect: { kind: 'conflict', retryable: 'either' },
  },
]);

export const httpCases = casesOf('node:http', [
  { id: 'a closed port', run: async () => get(await refused()), expect: unreachable },
  { id: 'a server that hangs up', run: async () => get(await hangup()), expect: unreachable },
  { id: 'a server that resets', run: async () => get(await reset()), expect: unreachable },
  { id: 'an answer that is not HTTP', run: async () => get(await garbage()), expect: { kind: 'bad_response' } },
  {
    id: 'a body that is cut off',
    run: async () => {
      const [response] = (await once(http.get(await truncated()), 'response')) as [http.IncomingMessage];
      return text(response);
    },
    expect: cutOff,
  },
  {
    id: 'headers that never come, under a signal with a deadline',
    run: async () => failureOf(http.get(await hang(), { signal: AbortSignal.timeout(120) })),
    expect: timeout,
  },
  { id: 'an address without a scheme', run: () => http.get('example.com/items'), expect: { kind: 'invalid_input' } },
]);

export const dnsCases = casesOf('node:dns', [
  { id: 'a name that does not exist', run: () => dns.lookup('no-such-host.invalid'), expect: unknownName },
  { id: 'a server that says the name does not exist', run: () => askDns({ rcode: 3 }), expect: unknownName },
  { id: 'a server that fails', run: () => askDns({ rcode: 2 }), expect: unreachable },
  { id: 'a server that refuses', run: () => askDns({ rcode: 5 }), expect: unknownName },
  {
    id: 'a server that stays silent',
    run: () => askDns('silence'),
    expect: { kinds: ['timeout', 'unreachable'], retryable: true },
  },
  {
    id: 'a query that is cancelled',
    run: () => askDns('silence', (resolver) => delay(40).then(() => resolver.cancel())),
    expect: cancelled,
  },
]);

/** Asks a loopback name server that gives one answer to everything. */
async function askDns(answer: { rcode: number } | 'silence', meanwhile?: (resolver: dns.Resolver) => unknown) {
  const server = dgram.createSocket('udp4');
  afterwards(() => server.close());
  server.on('message', (query, peer) => {
    if (answer === 'silence') return;
    const response = Buffer.from(query);
    response[2] = 0x81; // a response, recursion desired
    response[3] = 0x80 | answer.rcode;
    server.send(response, peer.port, peer.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  // Only where the time is to run out may it: a busy machine takes long for an answer.
  const isToRunOut = answer === 'silence' && meanwhile === undefined;
  const resolver = new dns.Resolver({ timeout: isToRunOut ? 150 : 30_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  const asked = resolver.resolve4('items.example.test');
  meanwhile?.(resolver);
  return asked;
}
