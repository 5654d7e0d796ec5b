// Puts `toolpact wrap` before published MCP servers and compares what clients see with the servers alone: npm run proof -- gateway-servers
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { probe } from '../conformance/field-probe.ts';
import { fieldServers } from '../conformance/field-servers.ts';
import { installServers } from '../conformance/install-servers.ts';

const cache = process.env.TOOLPACT_FIELD_CACHE ?? join(homedir(), '.cache', 'toolpact-field-report');
installServers(cache, fieldServers);
let broken = 0;
for (const server of fieldServers) {
  const alone = await probe(server, cache);
  const { tools, wrong, right, leaks, unknownTool, afterCancel, afterJunk, isNoisy } = await probe(server, cache, { isWrapped: true });
  const faults = [
    // A server may offer more to a client that can be asked, as the gateway can.
    tools >= alone.tools ? '' : `it lists ${tools} tools instead of ${alone.tools}`,
    wrong.taken === 0 ? '' : `${wrong.taken} of ${wrong.tried} wrong arguments were taken`,
    right.ok >= alone.right.ok ? '' : `${right.ok} right arguments were answered instead of ${alone.right.ok}`,
    wrong.silent === 0 && right.silent <= alone.right.silent ? '' : 'more calls were not answered',
    leaks.stack === 0 && leaks.path <= alone.leaks.path && leaks.secret <= alone.leaks.secret ? '' : 'more came out',
    unknownTool === 'success' || unknownTool === 'silence' ? `an unknown tool was answered with ${unknownTool}` : '',
    afterCancel === 'answers' && afterJunk === 'answers' ? '' : 'it no longer answers',
    isNoisy ? 'it writes lines that are no messages' : '',
  ].filter(Boolean);
  if (faults.length > 0) broken += 1;
  const verdict = faults.length === 0 ? 'held' : `BROKEN: ${faults.join('; ')}`;
  console.log(
    `${server.name} ${server.version}: ${tools} tools, ${alone.wrong.taken} of ${alone.wrong.tried} wrong arguments taken alone, ${wrong.taken} with wrap; ${verdict}`,
  );
}
process.exit(broken === 0 ? 0 : 1);
