// Runs inside a network that has a loopback only, and passes bytes between its ports and sockets that lie in a folder. One order a line:
// {"listen": <port or path>, "connect": <port or path>}
import { rmSync } from 'node:fs';
import net from 'node:net';
import { createInterface } from 'node:readline';

const target = (at) => (typeof at === 'number' ? { port: at, host: '127.0.0.1' } : { path: at });

createInterface(process.stdin).on('line', (line) => {
  const { listen, connect } = JSON.parse(line);
  if (typeof listen === 'string') rmSync(listen, { force: true });
  const server = net.createServer((incoming) => {
    const outgoing = net.connect(target(connect));
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ]) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(target(listen), () => console.log('listening'));
});
