import { once } from 'node:events';
import https from 'node:https';
import nodeTls from 'node:tls';
import { badCertificate, casesOf, unreachable } from '../error-case.ts';
import { afterwards, certificate, hangup, plainHttpPort, tls } from '../loopback.ts';
import { withKey } from '../secrets.ts';

const get = (origin: string, options: https.RequestOptions = {}) => once(https.get(withKey(origin), options), 'an event that never comes');

export const tlsCases = casesOf('node:tls', [
  { id: 'a self-signed certificate', run: async () => get((await tls('self-signed')).origin), expect: badCertificate },
  {
    id: 'an expired certificate',
    run: async () => {
      const { origin, ca } = await tls('expired');
      return get(origin, { ca });
    },
    expect: badCertificate,
  },
  {
    id: "another host's certificate",
    run: async () => {
      const { origin, ca } = await tls('other-host');
      return get(origin, { ca });
    },
    expect: badCertificate,
  },
  {
    id: 'a port that speaks plain HTTP',
    run: async () => get(await plainHttpPort()),
    expect: { kind: 'unreachable', retryable: 'either' },
  },
  {
    id: 'no protocol version in common',
    run: async () => {
      const server = nodeTls.createServer({ ...(await certificate('self-signed')), minVersion: 'TLSv1.3' }).listen(0, '127.0.0.1');
      server.on('tlsClientError', () => {});
      afterwards(() => server.close());
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      return get(`https://127.0.0.1:${port}`, { maxVersion: 'TLSv1.2' });
    },
    expect: badCertificate,
  },
  { id: 'a peer that leaves during the handshake', run: async () => get((await hangup()).replace('http:', 'https:')), expect: unreachable },
  {
    id: 'a key of our own that is not PEM',
    run: () => nodeTls.createSecureContext({ key: 'no key', cert: 'no certificate' }),
    expect: { kinds: ['not_configured', 'invalid_input'] },
  },
]);
