// Puts `toolpact wrap` before published MCP servers and compares what clients see with the servers alone: npm run proof -- gateway-servers
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { probe } from '../conformance/field-probe.ts';
import { type FieldServer, fieldServers } from '../conformance/field-servers.ts';
import { installServers } from '../conformance/install-servers.ts';
import { findChromium } from '../peers/open-chromium.ts';

const cache = process.env.TOOLPACT_FIELD_CACHE ?? join(homedir(), '.cache', 'toolpact-field-report');
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'toolpact-chromium-'));
const servers = [...fieldServers, playwright(await findChromium(folder))].filter(
  ({ name }) => values.only === undefined || name === values.only,
);
installServers(cache, servers);
let broken = 0;
for (const server of servers) {
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
    `${server.name} ${server.version}: ${tools} tools, ${alone.wrong.taken} of ${alone.wrong.tried} wrong arguments taken alone, ${wrong.taken} with wrap, ${right.ok} of ${right.tried} right ones answered; ${verdict}`,
  );
}
rmSync(folder, { recursive: true, force: true });
process.exit(broken === 0 ? 0 : 1);

/** A server with a browser, which reaches nobody through a proxy that does not exist. Only its reading tools are run. */
function playwright(chromium: string): FieldServer {
  const browser = ['--headless', '--isolated', '--no-sandbox', '--browser', 'chromium', '--executable-path', chromium];
  return { name: '@playwright/mcp', version: '0.0.83', file: 'cli.js', words: [...browser, '--proxy-server', 'http://127.0.0.1:9'] };
}
