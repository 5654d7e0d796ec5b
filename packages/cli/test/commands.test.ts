import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, helloFile, run, toolpact } from './run-toolpact.ts';
import { runProcess, startProcess } from './start-process.ts';

const sample = (tool: string, args: string, ...more: string[]): string[] => ['call', tool, args, '--sample', '--store', 'memory', ...more];

test('--version prints the version alone', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(await runProcess(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('help lists every command; without a command it is shown too, but nothing was done', async () => {
  const { code, stdout, stderr } = await run(['help']);
  expect([code, stderr]).toEqual([0, '']);
  expect([...stdout.matchAll(/^ {2}(\w+) [<[]/gm)].map(([, name]) => name)).toEqual([
    'init',
    'dev',
    'call',
    'list',
    'schema',
    'check',
    'explain',
    'lock',
    'diff',
    'serve',
    'mcp',
    'wrap',
    'work',
    'key',
    'calls',
    'approvals',
    'wait',
    'settle',
    'cancel',
    'rerun',
    'inspect',
    'operate',
    'translate',
  ]);
  expect(await run([])).toEqual({ code: 2, stdout, stderr: '' });
});

test('help of a command is the same as its --help', async () => {
  const [help, flag] = await Promise.all([run(['help', 'call']), run(['call', '--help'])]);
  expect(help).toEqual(flag);
  expect(help).toEqual({ code: 0, stdout: expect.stringMatching(/^toolpact call <tool> \[json\|-\]\n/), stderr: '' });
});

test.each<[number, string, string[], string, string | RegExp]>([
  [0, 'ok: the data, and nothing else', sample('add', '{"a":2,"b":3}'), '{\n  "sum": 5\n}\n', ''],
  [10, 'fix_input', sample('add', '{"a":2}'), '', /^\[error: invalid_input\] .*b/],
  [
    10,
    'fix_input, for a name that does not exist',
    sample('ad', '{}'),
    '',
    /^\[error: unknown_tool\] There is no tool named "ad"\.\nNext: Did you mean "add"\?/,
  ],
  [
    11,
    'wait',
    sample('stock_quote', '{"symbol":"ACME"}'),
    '',
    '[error: rate_limited] slow down (HTTP 429)\nNext: Wait 8 s before trying again.\n',
  ],
  [
    20,
    'pending',
    sample('pay_invoice', '{"invoice":"1","amount":250}'),
    '',
    /^\[pending: approval\] .*Pay 250 for invoice 1\? Tell the user; .* \(handle: [\w-]+\)\nTo approve it, add --approve to the same command\.\n$/,
  ],
  [
    0,
    'ok, once it is approved',
    sample('pay_invoice', '{"invoice":"1","amount":250}', '--approve'),
    expect.stringContaining('"receipt": "receipt_') as unknown as string,
    '',
  ],
])('call ends with %i: %s', async (code, _, words, stdout, stderr) => {
  expect(await run(words)).toEqual({ code, stdout, stderr: typeof stderr === 'string' ? stderr : expect.stringMatching(stderr) });
});

const kinds: Readonly<Record<string, string>> = {
  invalid_input: 'fix_input',
  timeout: 'wait',
  interrupted: 'verify',
  unauthenticated: 'reauth',
  denied: 'ask_user',
  unsupported: 'other_tool',
  internal: 'stop',
  failed: 'see_message',
};

test.each([
  ['invalid_input', 10],
  ['timeout', 11],
  ['interrupted', 12],
  ['unauthenticated', 13],
  ['denied', 14],
  ['unsupported', 15],
  ['internal', 16],
  ['failed', 17],
])('a tool that fails with %s ends the command with %i', async (kind, code) => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool, fail } from ${JSON.stringify(toolpact)};
export const broken = defineTool({ name: 'broken', description: 'Fails.', effects: 'none', retry: false, run: () => fail('${kind}', 'No.') });`,
  });
  const { code: ended, stdout } = await run(['call', 'broken', '--json', '--store', 'memory'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'error', error: { kind, recovery: kinds[kind] } });
  expect(ended).toBe(code);
});

test('an error that cannot be read shows its own lines, without a flag', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
const deep = (): never => { throw new Error('too deep'); };
export const bug = defineTool({ name: 'bug', description: 'Has a bug.', effects: 'none', run: () => deep() });`,
  });
  const { stderr } = await run(['call', 'bug', '--store', 'memory'], { cwd });
  expect(stderr).toMatch(/^ {2}at deep \(tools\.ts:2:35\)\n {2}at .*\(tools\.ts:3:\d+\)\n\[error: failed\] too deep\n/);
});

test('half a success ends with 21, its data on stdout and its failures on stderr', async () => {
  const cwd = folderWith({
    'tools.mjs': `import { defineTool, partial, fail } from ${JSON.stringify(toolpact)};
export default [defineTool({ name: 'half', description: 'Half.', effects: 'none', run: () => partial([1], [{ index: 1, error: fail('not_found', 'Gone.') }], { total: 2 }) })];`,
  });
  const ran = await run(['call', 'half', '--store', 'memory'], { cwd });
  expect(ran).toEqual({ code: 21, stdout: '[\n  1\n]\n', stderr: '[partial] 1 of 2 failed.\n- item 1: not_found: Gone.\n' });
});

test('call reads arguments from stdin, and --json prints the whole outcome', async () => {
  const { code, stdout } = await run(sample('add', '-', '--json', '--tenant', 'acme'), { input: '{"a":2,"b":3}' });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'ok',
    data: { sum: 5 },
    input: { a: 2, b: 3 },
    meta: { tool: 'add', tenantId: 'acme' },
  });
});

test.each([
  ['flat', { success: true, a: 2, b: 3, sum: 5 }],
  ['coded', { code: 0, data: { sum: 5 } }],
  ['value', { success: true, value: { sum: 5 } }],
  ['mcp', { structuredContent: { sum: 5 } }],
])('call --dialect %s prints that envelope, strictly', async (dialect, expected) => {
  const { code, stdout } = await run(sample('add', '{"a":2,"b":3}', '--dialect', dialect));
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject(expected);
  expect(stdout).not.toContain('_toolpact');
});

test('a failure in a dialect is a result too: it goes to stdout', async () => {
  const { code, stdout, stderr } = await run(sample('stock_quote', '{"symbol":"A"}', '--dialect', 'problem'));
  expect([code, stderr]).toEqual([11, '']);
  expect(JSON.parse(stdout)).toMatchObject({ status: 429, _toolpact: expect.anything() });
});

test.each([
  ['no JSON', '{"a": 2,', 10],
  ['no object', '[1,2]', 10],
  ['text', '"hello"', 10],
  ['nothing', '', 10],
  ['a prototype', '{"__proto__":{"a":1},"constructor":1}', 10],
  ['numbers beyond numbers', '{"a":1e999,"b":1}', 10],
  ['a deep well', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 10],
])('hostile arguments, %s, are answered', async (_, input, code) => {
  const ran = await run(sample('add', '-'), { input });
  expect(ran).toEqual({ code, stdout: '', stderr: expect.stringMatching(/^\[error: invalid_input/) });
});

test('five megabytes of arguments on stdin arrive whole', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
const input = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value: value as { text: string } }), jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) } } };
export const count = defineTool({ name: 'count', description: 'Counts.', input, effects: 'none', run: ({ text }) => text.length });`,
  });
  const ran = await runProcess(['call', 'count', '-', '--store', 'memory'], {
    cwd,
    input: JSON.stringify({ text: 'x'.repeat(5 * 1024 * 1024) }),
  });
  expect(ran).toEqual({ code: 0, stdout: '5242880\n', stderr: '' });
});

test('what a tool prints goes to stderr, however it prints', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
console.log('loading');
export const loud = defineTool({ name: 'loud', description: 'Prints.', effects: 'none', run: () => { console.log('one'); process.stdout.write('two\\n'); return 'quiet'; } });`,
  });
  expect(await runProcess(['call', 'loud', '--store', 'memory'], { cwd })).toEqual({
    code: 0,
    stdout: 'quiet\n',
    stderr: 'loading\none\ntwo\n',
  });
});

test('a call with a key happens once, also from two processes', async () => {
  const cwd = folderWith();
  const words = ['call', 'pay_invoice', '{"invoice":"9","amount":10}', '--sample', '--json'];
  const [first, second] = [JSON.parse((await run(words, { cwd })).stdout), JSON.parse((await runProcess(words, { cwd })).stdout)];
  expect(first.meta.replayed).toBeUndefined();
  expect(second).toMatchObject({ status: 'ok', data: first.data, meta: { replayed: true } });
});

test('list shows names, effects and descriptions; --json everything', async () => {
  const cwd = folderWith({ 'tools.ts': helloFile('hi') });
  expect(await run(['list'], { cwd })).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^hello {8}none {8}Says hello\.\nread_result {2}none {8}\(added by Toolpact\) Reads a part/),
    stderr: '',
  });
  const { stdout } = await run(['list', 'tools.ts', '--json', '--no-spill'], { cwd });
  expect(JSON.parse(stdout)).toEqual([
    {
      name: 'hello',
      providerName: 'hello',
      description: 'Says hello.',
      effects: 'none',
      inputSchema: expect.objectContaining({ type: 'object' }),
      examples: [],
    },
  ]);
});

test('schema prints the JSON Schemas of all tools, of one, or of an envelope', async () => {
  const all = JSON.parse((await run(['schema', '--sample'])).stdout);
  expect(Object.keys(all)).toEqual([
    'add',
    'stock_quote',
    'pay_invoice',
    'crawl_site',
    'weather',
    'book_trip',
    'read_result',
    'wait_for_result',
  ]);
  expect(all.add).toMatchObject({
    description: 'Adds two numbers.',
    input: { required: ['a', 'b'], examples: [{ a: 2, b: 3 }] },
    outcome: { title: 'Outcome of add' },
  });
  expect(JSON.parse((await run(['schema', '--sample', '--tool', 'add'])).stdout)).toEqual(all.add);
  expect(JSON.parse((await run(['schema', '--sample', '--tool', 'add', '--dialect', 'problem'])).stdout)).toHaveProperty('$schema');
});

test('schema --openapi prints what a server with these tools would say', async () => {
  const { code, stdout, stderr } = await run(['schema', '--sample', '--openapi']);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0', paths: { '/v1/tools/add': { post: expect.anything() } } });
  expect((await run(['schema', '--sample', '--openapi', '--tool', 'add'])).code).toBe(2);
});

test('Ctrl-C stops a call, which still says how it ended', async () => {
  const call = startProcess(['call', 'crawl_site', '{"pages":25}', '--sample', '--store', 'memory']);
  await call.until(/1 of 25/);
  call.kill('SIGINT');
  expect(await call.ended).toMatchObject({ code: 130, stdout: '', stderr: expect.stringMatching(/\[error: cancelled\]/) });
});

test('tools find the resources that their files export, and those are closed', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineResource, defineTool } from ${JSON.stringify(toolpact)};
import { writeFileSync } from 'node:fs';
export const kernel = defineResource({ type: 'kernel', open: () => ({ sum: (a: number, b: number) => a + b }), close: () => writeFileSync(new URL('closed', import.meta.url), '') });
export const sum = defineTool({ name: 'sum', description: 'Adds.', effects: 'none', resource: kernel, run: async (_, ctx) => (await ctx.resource(kernel)).sum(2, 3) });`,
  });
  expect(await run(['call', 'sum', '--store', 'memory'], { cwd })).toEqual({ code: 0, stdout: '5\n', stderr: '' });
  expect(existsSync(join(cwd, 'closed'))).toBe(true);
});

test('a reader who stops reading is no fault', async () => {
  const list = startProcess(['schema', '--sample']);
  list.child.stdout.destroy();
  expect(await list.ended).toMatchObject({ code: 0, stderr: '' });
});

test('translate says what cannot be read, and that something else has to be given', async () => {
  const answer = JSON.stringify({ code: 5002, message: 'x', data: null, meta: {} });
  expect(await run(['translate', '--to', 'outcome'], { input: answer })).toEqual({
    code: 10,
    stdout: '',
    stderr: 'unreadable as coded: Not a sound coded envelope: meta.tool is missing.\n',
  });
});

test('translate reads from stdin and recognises the format', async () => {
  const coded = {
    code: 4005,
    message: 'Nothing there.',
    data: null,
    meta: { tool: 'search', execution_time_ms: 3, resource_type: null, session_id: null, trace_id: 't' },
  };
  const { code, stdout, stderr } = await run(['translate', '--to', 'outcome'], { input: JSON.stringify(coded) });
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'error',
    error: { kind: 'not_found', message: 'Nothing there.' },
    meta: { tool: 'search' },
  });
  const cwd = folderWith({ 'answer.json': JSON.stringify(coded) });
  const named = await run(['translate', 'answer.json', '--from', 'coded', '--to', 'flat', '--strict'], { cwd });
  expect(JSON.parse(named.stdout)).toMatchObject({ success: false, error: 'Nothing there.' });
});

test('what one command prints another can read', async () => {
  const { stdout } = await run(sample('stock_quote', '{"symbol":"A"}', '--dialect', 'status'));
  const { code, stdout: problem } = await run(['translate', '--to', 'problem'], { input: stdout });
  expect(code).toBe(0);
  expect(JSON.parse(problem)).toMatchObject({ status: 429 });
});

test('key refuses a scope that does not exist', async () => {
  const { code, stderr } = await run(['key', 'acme', 'tools:fly:*']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('unknown scope "tools:fly:*"')]);
});

test('key prints a key on stdout and what the server needs on stderr', async () => {
  const { code, stdout, stderr } = await run(['key', 'acme', 'admin']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^tpk_[\w-]{43}\n$/);
  expect(stderr).toMatch(/TOOLPACT_API_KEYS='acme:sha256:[\da-f]{64} admin'\n$/);
  expect(stderr).not.toContain(stdout.trim());
});

test.each([[['dev']], [['serve']], [['list']], [['mcp']], [['call', 'add', '{}']]])(
  '%j in a folder without tools says what to do',
  async (words) => {
    const { code, stdout, stderr } = await run(words, { cwd: folderWith({}) });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'error No file with tools was found here. Looked for tools.ts, tools.mts, tools.js, tools.mjs, src/tools.ts, src/tools.mts, src/tools.js, src/tools.mjs.',
      'fix   toolpact init creates a tools.ts. Or name your own file (toolpact dev my-tools.ts), or try the sample tools (toolpact dev --sample). A tools.ts:',
    ]);
    expect(stderr).toContain("import { defineTool } from 'toolpact';");
  },
);

test('files import each other as TypeScript projects do: by .js, without an extension, by folder', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
import { one } from './one.js';
import { two } from './two';
import { three } from './lib';
export const count = defineTool({ name: 'count', description: 'x', effects: 'none', run: () => [one, two, three] });
`,
    'one.ts': 'export const one: number = 1;\n',
    'two.ts': 'export const two: number = 2;\n',
  });
  mkdirSync(join(cwd, 'lib'));
  writeFileSync(join(cwd, 'lib/index.ts'), 'export const three: number = 3;\n');
  expect(await run(['call', 'count', '--store', 'memory'], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/1,\s*2,\s*3/),
  });
});

test('call says that it tries again, and why', async () => {
  const cwd = folderWith({
    'tools.ts': `import { defineTool } from ${JSON.stringify(toolpact)};
let runs = 0;
export const busy = defineTool({ name: 'busy', description: 'x', effects: 'none', run: () => {
  runs += 1;
  if (runs === 1) throw new Response('slow down', { status: 429, headers: { 'retry-after-ms': '400' } });
  return 'done';
} });
`,
  });
  const { code, stdout, stderr } = await run(['call', 'busy', '--store', 'memory'], { cwd });
  expect([code, stdout, stderr]).toEqual([0, 'done\n', '… attempt 1 failed: rate_limited, waiting 1 s\n']);
});
