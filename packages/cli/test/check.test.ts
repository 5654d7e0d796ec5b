import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crashChecks } from '@toolpact/testing';
import { expect, onTestFinished, test } from 'vitest';
import { folderWith, run, start, toolpact } from './run-toolpact.ts';
import { runProcess, startProcess } from './start-process.ts';

const peers = fileURLToPath(new URL('../../../proofs/peers/node_modules', import.meta.url));

const forecast = `import { defineTool } from ${JSON.stringify(toolpact)};
import { z } from 'zod';
export const forecast = defineTool({
  name: 'forecast',
  description: 'Tells the weather of a city for some days.',
  effects: 'none',
  input: z.object({ city: z.string().min(1).describe('The city.') }),
  output: z.object({ celsius: z.number() }),
  onFailure: { celsius: 0 },
  examples: [{ input: { city: 'Kyoto' } }],
  run: ({ city }) => ({ celsius: city.length }),
});
`;
/** Documents no result, and names a field like the flat dictionary does. */
const undeclared = `
import { z } from 'zod';
import { defineTool } from ${JSON.stringify(toolpact)};
export const search = defineTool({
  name: 'search',
  description: 'Searches titles by a keyword.',
  input: z.object({ keyword: z.string().describe('What to look for.') }),
  effects: 'none',
  examples: [{ input: { keyword: 'K-ON' } }],
  run: ({ keyword }) => ({ error: keyword }),
});
`;
const leaky = `${forecast}
export const lookup = defineTool({
  name: 'look_up',
  description: 'Looks up what nobody should see.',
  effects: 'none',
  input: z.object({ id: z.string().describe('Which one.') }),
  output: z.object({ note: z.string() }),
  onFailure: { note: '' },
  examples: [{ input: { id: 'a' } }],
  run: () => ({ note: 'tell-nobody-42' }),
});
`;

/** A folder that has what a project with tools has. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = folderWith(files);
  symlinkSync(peers, join(folder, 'node_modules'));
  return folder;
}

test('a tool that ends the process does not pass', async () => {
  const quits = `import { defineTool } from ${JSON.stringify(toolpact)};
export const quits = defineTool({ name: 'quits', description: 'Ends all.', effects: 'none', examples: [{ input: {} }], run: () => process.exit(0) });`;
  const { code, stderr } = await runProcess(['check'], { cwd: folderWith({ 'tools.mjs': quits }) });
  expect(code).toBe(1);
  expect(stderr).toContain('called process.exit(0) before the command was done.');
});

test('check prints a table and ends with 0 when every tool follows the contract', async () => {
  const { code, stdout, stderr } = await run(['check', 'tools.ts'], { cwd: project({ 'tools.ts': forecast }) });
  expect([code, stderr]).toEqual([0, '1 of 1  ✓  forecast\n']);
  expect(stdout).toBe(`tool      name  words  portable  input  output  failures  secrets  repeats  time  contract
forecast   ✓      ✓       ✓        ✓      ✓        ✓         ✓        –      ✓       ✓
✓ kept   ✗ broken   ! could be better   – not tested

1 of 1 tools follow the contract (tools.ts, seed 1): 0 broken, 0 could be better.
`);
});

test('check ends with 1 for a tool that breaks what it must, and shows what and how to fix it, but not the secret', async () => {
  const { code, stdout } = await run(['check'], { cwd: project({ 'tools.ts': leaky }), env: { DB_PASSWORD: 'tell-nobody-42' } });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^look_up {4}.*✗.*✗$/m);
  expect(stdout).toMatch(/^ {2}✗ must {4}an answer carries the variable DB_PASSWORD \(\d+ times\) {2}tools\/no-secrets$/m);
  expect(stdout).toMatch(/^ {12}fix Do not put credentials/m);
  expect(stdout).toContain('1 of 2 tools follow the contract');
  expect(stdout).not.toContain('tell-nobody-42');
});

test('--json prints the report, the same for the same seed', async () => {
  const cwd = project({ 'tools.ts': leaky });
  const words = ['check', '--json', '--seed', '7', '--only', 'look_up,no-secrets'];
  const [first, second] = [
    await run(words, { cwd, env: { DB_PASSWORD: 'tell-nobody-42' } }),
    await run(words, { cwd, env: { DB_PASSWORD: 'tell-nobody-42' } }),
  ];
  expect(first.code).toBe(1);
  expect(second.stdout).toBe(first.stdout);
  expect(JSON.parse(first.stdout)).toMatchObject({
    seed: 7,
    tools: [{ tool: 'look_up', effects: 'none', followsContract: false, verdicts: { 'tools/no-secrets': { verdict: 'broken' } } }],
    findings: [{ check: 'tools/no-secrets', level: 'must', tool: 'look_up', message: expect.stringContaining('DB_PASSWORD') }],
  });
});

test('--compliance prints who follows the contract', async () => {
  const { stdout } = await run(['check', '--compliance'], { cwd: project({ 'tools.ts': leaky }), env: { DB_PASSWORD: 'tell-nobody-42' } });
  expect(stdout).toBe('| Tool | Follows Contract |\n|------|-----------------|\n| `forecast` | ✅ |\n| `look_up` | ❌ |\n');
});

test.each([
  ['flat', '❌'],
  ['coded', '✅'],
  ['value', '❌'],
  ['status', '✅'],
  ['error-type', '✅'],
])('--compliance --contract %s prints which tools follow that contract', async (contract, kept) => {
  const { stdout } = await run(['check', '--compliance', '--contract', contract], { cwd: project({ 'tools.ts': undeclared }) });
  expect(stdout).toBe(`| Tool | Follows Contract |\n|------|-----------------|\n| \`search\` | ${kept} |\n`);
});

test('--contract takes the names of the presets alone', async () => {
  const { code, stderr } = await run(['check', '--sample', '--contract', 'flatt']);
  expect(code).toBe(2);
  expect(stderr).toContain('flat');
});

test('--junit writes a suite for each tool, with failures and what was skipped', async () => {
  const cwd = project({ 'tools.ts': leaky });
  await run(['check', '--junit', 'report.xml'], { cwd, env: { DB_PASSWORD: 'tell-nobody-42' } });
  const xml = readFileSync(join(cwd, 'report.xml'), 'utf8');
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="toolpact check" tests="70" failures="1">\n/);
  expect(xml).toMatch(/<testsuite name="look_up" tests="35" failures="1" skipped="\d+">/);
  expect(xml).toMatch(/<failure type="must" message="an answer carries the variable DB_PASSWORD \(\d+ times\)">/);
  expect(xml).toContain('<skipped message="it makes no such promise"/>');
  expect(xml).toContain('name="tools/abort: A caller that stops a call');
});

const paying = `import { defineTool } from ${JSON.stringify(toolpact)};
import { z } from 'zod';
const bank = async (invoice) => 'receipt of ' + invoice;
export const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: z.object({ invoice: z.string().describe('Its number.') }),
  examples: [{ input: { invoice: 'A-1' } }],
  steps: true,
  run: ({ invoice }, { step }) => step('charge', () => bank(invoice)),
});
`;

test('--crash says what is done twice when processes die and answers are lost, with the seed and the fix', async () => {
  const { code, stdout } = await run(['check', 'tools.ts', '--crash', '--allow-writes', '--seed', '4711'], {
    cwd: project({ 'tools.ts': paying.replace('(invoice) =>', '(invoice: string) =>') }),
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^pay\n {2}✗ must {4}does `charge` twice if its process dies after `charge` \(seed 4711\) {2}crashes\/acts-once$/m,
  );
  expect(stdout).toContain('fix Give it a key of what must not happen twice');
  expect(stdout).toContain('25 trials of 1 tool (tools.ts, seed 4711): 2 broken, 1 could be better.\n');
  const ids = [...stdout.matchAll(/crashes\/\S+/g)].map(([id]) => id);
  for (const id of new Set(ids)) expect((await run(['explain', id])).code).toBe(0);
});

test('--crash ends with 0 for a tool with a key, and with 1 where --strict asks for `reconcile` too', async () => {
  const cwd = project({ 'tools.mjs': paying.replace('steps: true,', 'steps: true, idempotency: { key: ({ invoice }) => invoice },') });
  expect((await run(['check', '--crash', '--allow-writes'], { cwd })).code).toBe(0);
  const { code, stdout } = await run(['check', '--crash', '--allow-writes', '--strict', '--json'], { cwd });
  const [report] = (JSON.parse(stdout) as { tools: { findings: { check: string; level: string }[] }[] }).tools;
  expect([code, new Set(report?.findings.map(({ check, level }) => `${level} ${check}`))]).toEqual([
    1,
    new Set(['should crashes/can-tell']),
  ]);
});

test.each([
  [['--crash'], 1, 'Nothing was tried: --crash makes real calls.'],
  [['--crash', '--junit', 'report.xml'], 2, '--junit has no meaning with --crash.'],
  [['--crash', '--allow-writes', '--only', 'nothing'], 1, 'there is no tool "nothing"'],
])('check %j ends with %i', async (words, code, message) => {
  const ended = await run(['check', ...words], { cwd: project({ 'tools.mjs': paying }) });
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
});

test('--crash finds nothing to try where no tool writes', async () => {
  const { code, stderr } = await run(['check', '--crash'], { cwd: project({ 'tools.ts': forecast }) });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing was tried: none of these tools writes (the tools of this folder).')]);
});

test('--strict fails for what could be better', async () => {
  const cwd = project({ 'tools.ts': forecast.replace("  examples: [{ input: { city: 'Kyoto' } }],\n", '') });
  expect((await run(['check', '--only', 'examples'], { cwd })).code).toBe(0);
  expect((await run(['check', '--only', 'examples', '--strict'], { cwd })).code).toBe(1);
});

test('tools that write run only with leave', async () => {
  const pay = `import { writeFileSync } from 'node:fs';\n${forecast}
export const pay = defineTool({ name: 'pay', description: 'Pays an invoice for real.', input: z.object({ id: z.string() }), run: ({ id }) => { writeFileSync(new URL('paid', import.meta.url), id); return {}; } });
`;
  const cwd = project({ 'tools.ts': pay });
  const { stdout } = await run(['check'], { cwd });
  expect(stdout).toContain('Not run, because they write: pay; --allow-writes runs them.');
  expect(existsSync(join(cwd, 'paid'))).toBe(false);
  await run(['check', '--allow-writes'], { cwd });
  expect(existsSync(join(cwd, 'paid'))).toBe(true);
});

test.each([
  [
    'a word that selects nothing',
    ['check', '--sample', '--only', 'forcast'],
    1,
    'error "forcast" is not a tool, a check or a group of checks.\n',
  ],
  ['a seed that is no number', ['check', '--sample', '--seed', 'x'], 2, 'error --seed must be a whole number from 0, not "x".\n'],
  [
    'two things at once',
    ['check', 'http://127.0.0.1:9', '--stdio', 'x'],
    2,
    'error Name only one: files, an address, --stdio or --sample.\n',
  ],
  [
    'a setting that the server decides',
    ['check', 'http://127.0.0.1:9', '--timeout-ms', '5'],
    2,
    'error --timeout-ms has no meaning here: the server decides that.\n',
  ],
  [
    'a setting that changes nothing',
    ['check', '--sample', '--store', 'memory'],
    2,
    'error --store has no meaning here: a check stores nothing and tries once.\n',
  ],
  [
    'a check whose name has two letters changed',
    ['explain', 'naem'],
    2,
    'error There is no check "naem". Did you mean tools/name?\nfix   toolpact explain lists all.\n',
  ],
  [
    'a check whose name is nearly right',
    ['explain', 'no-secret'],
    2,
    'error There is no check "no-secret". Did you mean tools/no-secrets?\nfix   toolpact explain lists all.\n',
  ],
  ['an address that is none', ['check', 'http://'], 2, 'error http:// is not an address.\nfix   Write it like http://127.0.0.1:8787.\n'],
  [
    'a table and JSON at once',
    ['check', '--sample', '--json', '--compliance'],
    2,
    'error Choose --json or --compliance: both print the report.\n',
  ],
  [
    'a table of who follows the contract from some of its checks',
    ['check', '--sample', '--compliance', '--only', 'add,secrets'],
    2,
    'error --compliance needs all checks; let --only name tools alone.\n',
  ],
  [
    'a patience that no timer has',
    ['check', '--sample', '--patience', '1e12'],
    2,
    'error --patience must be a whole number from 1 to 3600000, not "1e12".\n',
  ],
])('%s is refused', async (_, words, code, stderr) => {
  expect(await run(words)).toEqual({ code, stdout: '', stderr });
});

test('explain tells what a check wants, why and how, and without an id lists all', async () => {
  const { code, stdout } = await run(['explain', 'output-kept']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^tools\/output-kept {2}output\n\nrequires {3}Every result fits.*\nwhy {8}.*\nfix {8}.*\nweight {5}must: .*\nonly this {2}toolpact check --only tools\/output-kept\n$/,
  );
  expect((await run(['explain'])).stdout.match(/^tools\/\S+ +(must|should) /gm)).toHaveLength(35);
});

test('explain knows everything that check prints of crashes', async () => {
  for (const { id, why } of crashChecks) expect((await run(['explain', id])).stdout).toContain(why);
  expect((await run(['explain', 'acts-once'])).stdout).toMatch(/^crashes\/acts-once .*requires .*once.*try it +toolpact check --crash/s);
});

test('explain knows the checks of stores too, and lists those of one suite', async () => {
  expect((await run(['explain', 'one-winner'])).stdout).toMatch(
    /^store\/one-winner {2}store\n\nrequires {3}Of many writers .*\nwhy {8}Guards rely .*\nexample {4}expect\(await checkStore.*\nweight {5}must: a store that .*\n$/,
  );
  const { stdout } = await run(['explain', 'store', '--json']);
  const found = JSON.parse(stdout) as { id: string; suite: string }[];
  expect(found.map(({ id }) => id)).toContain('store/one-winner');
  expect(new Set(found.map(({ suite }) => suite))).toEqual(new Set(['store']));
  expect((await run(['explain'])).stdout).toMatch(/^store\/one-winner +must /m);
});

test.each([['check'], ['lock'], ['diff', '--lock', 'kept.json']])('%s without any file says where it looked', async (...words) => {
  const cwd = folderWith({ 'kept.json': '{ "v": 1, "tools": {} }' });
  const { code, stdout, stderr } = await run(words, { cwd });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error No file with tools was found here\./);
});

test('a report that cannot be written is still shown', async () => {
  const cwd = project({ 'tools.ts': forecast });
  const { code, stdout, stderr } = await run(['check', '--only', 'name', '--junit', 'nowhere/report.xml'], { cwd });
  expect(code).toBe(1);
  // Who keeps one promise has not been shown to keep all of them.
  expect(stdout).toMatch(/^tool {6}name\nforecast {3}✓\n/);
  expect(stdout).toContain('1 of 1 tools keep what was looked at (the tools of this folder, seed 1): 0 broken, 0 could be better.');
  expect(stderr).toMatch(/error .*nowhere\/report\.xml cannot be written \(ENOENT\)\.\nfix {3}Check that the folder exists/);
});

test('a promise that a tool leaves behind, rejected, is reported', async () => {
  const careless = forecast.replace('run: ({ city }) =>', "run: ({ city }) => (void Promise.reject(new Error('left behind')), 0) ||");
  const { stdout, stderr } = await runProcess(['check', '--only', 'output-kept'], { cwd: project({ 'tools.ts': careless }) });
  expect(stdout).toContain('1 of 1 tools keep what was looked at');
  expect(stderr).toContain('warning a promise without a handler was rejected: Error: left behind\n');
});

test('a reader that is slow behind a server is late, and not taken for one that writes', async () => {
  const slow = forecast.replace('run: ({ city }) => ({ celsius: city.length })', 'run: () => new Promise(() => undefined)');
  const cwd = project({ 'tools.ts': slow });
  const { until } = start(['serve', 'tools.ts', '--port', '0', '--store', 'memory', '--no-spill', '--log', 'off', '--drain-ms', '0'], {
    cwd,
  });
  const [url = ''] = await until(/http:\/\/127\.0\.0\.1:\d+/);
  const { stdout } = await run(['check', url, '--json', '--patience', '200', '--only', 'honest-effect,in-time'], { cwd });
  expect((JSON.parse(stdout).findings as { check: string }[]).map(({ check }) => check)).toEqual(['tools/in-time']);
});

test('check judges a server of ours through its address, and the same server as MCP', async () => {
  const cwd = project({ 'tools.ts': leaky });
  const env = { DB_PASSWORD: 'tell-nobody-42' };
  const { until } = start(['serve', 'tools.ts', '--port', '0', '--store', 'memory', '--no-spill', '--log', 'off'], { cwd, env });
  const [url = ''] = await until(/http:\/\/127\.0\.0\.1:\d+/);
  const [http, mcp] = [await run(['check', url, '--json'], { cwd, env }), await run(['check', `${url}/mcp`, '--json'], { cwd, env })];
  for (const { code, stdout } of [http, mcp]) {
    expect(code).toBe(1);
    expect(JSON.parse(stdout).tools.map(({ tool, followsContract }: Record<string, unknown>) => [tool, followsContract])).toEqual([
      ['forecast', true],
      ['look_up', false],
    ]);
  }
});

test('check starts an MCP server of anyone and says what it gets wrong', async () => {
  const server = `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
const server = new Server({ name: 'odd', version: '1.0.0' }, { capabilities: { tools: {} } });
const object = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [
  { name: 'lax', inputSchema: object, outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, annotations: { readOnlyHint: true } },
  { name: 'stuck', description: 'Never comes back to you.', inputSchema: object, annotations: { readOnlyHint: true } },
  { name: 'silent_writer', description: 'Writes, but does not say so.', inputSchema: object },
] }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => params.name === 'stuck' ? new Promise(() => {}) : { content: [{ type: 'text', text: 'at run (/home/x/odd.js:1:2)' }], structuredContent: { n: 'x' } });
await server.connect(new StdioServerTransport());
`;
  const cwd = project({ 'odd.mjs': server });
  const { code, stdout } = await run(['check', '--stdio', `${process.execPath} odd.mjs`, '--json', '--patience', '1000'], { cwd });
  expect(code).toBe(1);
  const found = (JSON.parse(stdout).findings as { tool: string; check: string; message: string }[]).map(
    ({ tool, check }) => `${tool} ${check}`,
  );
  expect(found).toEqual(
    expect.arrayContaining([
      'lax tools/refuses-invalid',
      'lax tools/output-kept',
      'lax tools/no-stack',
      'stuck tools/in-time',
      'silent_writer tools/effects-declared',
    ]),
  );
});

test('a tool of an MCP server that may destroy something is not called without permission, and one without tools is no proof', async () => {
  const server = (tools: object[]): string => `import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
const server = new Server({ name: 'files', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: ${JSON.stringify(tools)} }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  appendFileSync('called.txt', params.name + ' ');
  return { content: [{ type: 'text', text: 'done' }] };
});
await server.connect(new StdioServerTransport());
`;
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  const cwd = project({
    'files.mjs': server([
      { name: 'write_file', description: 'Writes a file.', inputSchema, annotations: { readOnlyHint: false, idempotentHint: true } },
      { name: 'touch_file', description: 'Touches a file.', inputSchema, annotations: { idempotentHint: true, destructiveHint: false } },
    ]),
    'empty.mjs': server([]),
  });
  const { stdout } = await run(['check', '--stdio', `${process.execPath} files.mjs`], { cwd });
  expect(stdout).toContain('Not run, because they write: write_file; --allow-writes runs them.');
  expect(new Set(readFileSync(join(cwd, 'called.txt'), 'utf8').trim().split(' '))).toEqual(new Set(['touch_file']));
  expect(await run(['check', '--stdio', `${process.execPath} empty.mjs`], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error Nothing was checked: there are no tools \(.+ empty\.mjs\)\.\n$/),
  });
});

test('a server that a call has ended, and what it lists badly, are reported', async () => {
  const server = `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
const server = new Server({ name: 'frail', version: '1.0.0' }, { capabilities: { tools: {} } });
const [inputSchema, annotations] = [{ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }, { readOnlyHint: true }];
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: ['twin', 'twin', 'odd name!'].map((name) => ({ name, inputSchema, annotations })) }));
server.setRequestHandler(CallToolRequestSchema, async () => process.exit(1));
await server.connect(new StdioServerTransport());
`;
  const cwd = project({ 'frail.mjs': server });
  const words = ['check', '--stdio', `${process.execPath} frail.mjs`, '--json', '--only', 'name,description,always-answers'];
  const { code, stdout } = await run(words, { cwd });
  expect(code).toBe(1);
  const found = (JSON.parse(stdout).findings as { tool: string; message: string }[]).map(({ tool, message }) => `${tool}: ${message}`);
  expect(found).toEqual([
    'twin: it has no description',
    expect.stringMatching(/^twin: it threw instead of answering: Error: the server has ended \(\d+ times\)$/),
    'twin_2: another tool is listed under the same name',
    'twin_2: it has no description',
    expect.stringMatching(/^twin_2: it threw instead of answering: Error: the server has ended \(\d+ times\)$/),
    expect.stringMatching(/^odd_name_: the tool name "odd name!" must be letters, digits/),
    'odd_name_: it has no description',
    expect.stringMatching(/^odd_name_: it threw instead of answering: Error: the server has ended \(\d+ times\)$/),
  ]);
});

test('a server of ours that goes away during the trial is reported', async () => {
  const deadly = forecast.replace('run: ({ city }) =>', 'run: ({ city }) => process.exit(1) ||');
  const cwd = project({ 'tools.ts': deadly });
  const { until } = startProcess(['serve', 'tools.ts', '--port', '0', '--store', 'memory', '--no-spill', '--log', 'off'], { cwd });
  const [url = ''] = await until(/http:\/\/127\.0\.0\.1:\d+/);
  const { stdout } = await run(['check', url, '--json', '--only', 'always-answers'], { cwd });
  expect((JSON.parse(stdout).findings as { message: string }[]).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^it threw instead of answering: Error: the server has gone \(\d+ times\)$/),
  ]);
});

test('check of a server that refuses the key names the key, and of one that fails says how', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url?.startsWith('/broken') ? 500 : 401, { 'content-type': 'text/plain' }).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said = async (path: string): Promise<string> => (await run(['check', `${url}${path}`], { cwd: project({}) })).stderr;
  const [ours, mcp, broken] = await Promise.all([said('/'), said('/mcp'), said('/broken')]);
  const keyFix = '\nfix   Set TOOLPACT_API_KEY to a key that the server accepts.\n';
  expect(ours).toContain('As a tool server: The server answered HTTP 401, without an outcome. As an MCP server: No MCP server answered');
  expect(ours).toContain(keyFix);
  expect(mcp).toMatch(/^error No MCP server answered at \S+ \(HTTP 401\): .+\.\n/);
  expect(mcp).toContain(keyFix);
  expect(broken).toContain('As a tool server: The server answered HTTP 500, without an outcome. As an MCP server: ');
  expect(broken).toContain('\nfix   Check the address; it usually ends in /mcp.\n');
});

test('check says so when there is no server', async () => {
  const nothing = await run(['check', 'http://127.0.0.1:9'], { cwd: project({}) });
  expect([nothing.code, nothing.stderr]).toEqual([
    1,
    expect.stringMatching(/^error No tools were found at http:\/\/127\.0\.0\.1:9\/\. As a tool server: .+ As an MCP server: /),
  ]);
  const broken = await run(['check', '--stdio', `${process.execPath} -e 0`], { cwd: project({}) });
  expect([broken.code, broken.stderr]).toEqual([
    1,
    expect.stringMatching(/^error No MCP server answered at .+ -e 0: .+\nfix {3}Try the command by itself/),
  ]);
});

test('lock does not overwrite a file that is no lock', async () => {
  const cwd = project({ 'tools.ts': forecast, 'package.json': '{"type":"module"}' });
  expect(await run(['lock', '--lock', 'package.json'], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error package.json is not a lock file, so it was not overwritten.\nfix   Name another file, or delete this one.\n',
  });
  expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toBe('{"type":"module"}');
  for (const _ of ['first', 'again']) expect((await run(['lock', '--lock', 'kept.json'], { cwd })).code).toBe(0);
});

test('lock writes what tools promise, and diff tells in words what changed', async () => {
  const cwd = project({
    'tools.ts': forecast,
    'wider.ts': forecast.replace("describe('The city.')", "describe('The city.'), days: z.number().optional()"),
    'narrower.ts': forecast.replace('min(1)', 'min(3)').replace("effects: 'none'", "effects: 'idempotent'"),
  });
  expect(await run(['diff'], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error There is no toolpact.lock.json.\nfix   toolpact lock writes it; commit it with your tools.\n',
  });
  expect(await run(['lock'], { cwd })).toEqual({ code: 0, stdout: '', stderr: 'wrote toolpact.lock.json with 1 tool\n' });
  expect(await run(['diff'], { cwd })).toEqual({ code: 0, stdout: 'Nothing changed.\n', stderr: '' });
  expect(await run(['diff', 'wider.ts'], { cwd })).toEqual({
    code: 0,
    stdout: 'forecast\n  ✓ compatible  input.days: an optional field was added\n      + {"type":"number"}\n\nNo breaking changes.\n',
    stderr: '',
  });
  expect(await run(['diff', 'narrower.ts'], { cwd })).toEqual({
    code: 1,
    stdout: `forecast
  ✗ breaking    input.city: minLength went from 1 to 3
  ✗ breaking    effects: the effects went from none to idempotent: what was repeated without asking no longer may be

2 of 2 changes break callers.
`,
    stderr: '',
  });
  expect(JSON.parse((await run(['diff', 'narrower.ts', '--json'], { cwd })).stdout)).toHaveLength(2);
});

test('tools that guards bring along are neither judged nor locked: the author cannot change them', async () => {
  const cwd = project({
    'tools.ts': forecast
      .replace("effects: 'none',", "effects: 'writes',\n  approval: () => 'Go on?',")
      .replace('onFailure: { celsius: 0 },', ''),
  });
  const { tools } = JSON.parse((await run(['check', '--json'], { cwd })).stdout) as { tools: { tool: string }[] };
  expect(tools.map(({ tool }) => tool)).toEqual(['forecast']);
  expect(await run(['lock'], { cwd })).toMatchObject({ code: 0, stderr: 'wrote toolpact.lock.json with 1 tool\n' });
});
