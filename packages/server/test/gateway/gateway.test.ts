import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createToolbox } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createGateway, createServer } from '../../src/index.ts';
import { listen } from '../../src/node/listen.ts';
import { connectMcp, kinds } from '../mcp-clients.ts';
import { bad, notes, openGateway, serveGateway, stoppedClock } from './open-gateway.ts';

const call = (name: string, args: object = {}) => ({ name, args });

describe('a server in Python', () => {
  test.each(kinds)('is served over HTTP with its tools, resources and prompts: client %s', async (kind) => {
    const gateway = await openGateway({ servers: { notes }, store: memoryStore() });
    const client = await connectMcp(kind, await serveGateway(gateway));
    const written = await client.callTool({ name: 'write_note', arguments: { title: 'a', text: 'b' } });
    expect(written).toMatchObject({ content: [{ type: 'text', text: 'written' }] });
    expect((await client.listTools()).tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['read_note', { readOnlyHint: true }],
      ['write_note', {}],
      ['count_notes', { readOnlyHint: true }],
    ]);
    await client.close();
  });

  test('answers with kinds and advice, and lists its calls', async () => {
    const { toolbox } = await openGateway({ servers: { notes }, store: memoryStore() });
    const missing = await toolbox.answer(call('read_note', {}));
    expect(missing).toMatchObject({
      status: 'error',
      error: { kind: 'invalid_input', effect: 'none', issues: [{ path: ['title'], problem: 'missing' }] },
    });
    const unknown = await toolbox.answer(call('read_note', { title: 'nowhere' }));
    expect(unknown).toMatchObject({ status: 'error', error: { message: "Note 'nowhere' not found.", kind: 'not_found' } });
    const { calls = [] } = (await toolbox.calls?.list()) ?? {};
    expect(calls.map(({ tool, status }) => [tool, status])).toEqual([
      ['read_note', 'error'],
      ['read_note', 'error'],
    ]);
  });
});

test('a rule for a tool that no server lists is told, with the nearest name', async () => {
  const lines: string[] = [];
  await openGateway({
    servers: { notes },
    rules: [
      { tool: 'read_note' },
      { tool: ['write_*', 'delete_*', 'wrte_note'], effects: 'writes' },
      { tool: 'other:*' },
      { tool: 'notes:read_*' },
      { effects: 'writes' },
    ],
    log: (line) => lines.push(line),
  });
  expect(lines.filter((line) => line.includes('rules['))).toEqual([
    '(rules[1] is about wrte_note, which no server lists. Did you mean write_note?)',
    expect.stringMatching(/^\(rules\[2\] is about other:\*, which no server lists/),
  ]);
});

test('questions and keys that name an argument which their tool does not take are told, with their place', async () => {
  const told: unknown[] = [];
  await openGateway({
    servers: { notes },
    rules: [
      { tool: '*_note', approval: 'Change {titel}?', arguments: { text: 'x' } },
      { tool: 'write_note', approval: { ask: 'Write {title.first} and {text}?' }, idempotency: { key: ['title', 'txet'] } },
      { tool: 'read_note', approval: 'Read {title}?', idempotency: { key: '{titles}' } },
    ],
    store: memoryStore(),
    log: (line, _, place) => place && told.push([line, place]),
  });
  expect(told).toEqual([
    // The last rule for `read_note` asks something else, and the one before it for `write_note`.
    ['(rules[1].approval.ask names {text}, which write_note does not take)', ['rules', 1, 'approval', 'ask']],
    ['(rules[1].idempotency.key names {txet}, which write_note does not take)', ['rules', 1, 'idempotency', 'key']],
    ['(rules[2].idempotency.key names {titles}, which read_note does not take. Did you mean {title}?)', ['rules', 2, 'idempotency', 'key']],
  ]);
});

test('the tools of one server may be named with its name, as those of several are', async () => {
  const lines: string[] = [];
  const { toolbox } = await openGateway({
    servers: { notes },
    rules: [
      { tool: 'notes:write_note', hide: true },
      { tool: 'n*', timeoutMs: 7 },
    ],
    search: { always: ['notes:read_note', 'notes:gone'], above: 1 },
    log: (line) => lines.push(line),
  });
  expect(toolbox.list().map(({ name, deferred }) => [name, deferred])).toEqual([
    ['read_note', undefined],
    ['count_notes', true],
    ['search_tools', undefined],
    ['call_tool', undefined],
  ]);
  expect(lines.filter((line) => line.includes('search.always'))).toEqual(['(search.always names notes:gone, which no server lists now)']);
});

test('an address that nobody listens at is named, without what is secret in it', async () => {
  const closed = await listen(createServer(createToolbox([]), { auditLog: false }), { port: 0 });
  await closed.close({ drainMs: 0 });
  await expect(createGateway({ servers: { shop: { url: `${closed.url}/mcp?key=s3cret` } } })).rejects.toThrow(
    `The server "shop" could not be started: ${closed.url}/mcp could not be reached: connection refused`,
  );
});

test('a server that is down may list the tools of a rule later', async () => {
  const lines: string[] = [];
  await openGateway({ servers: { notes, bad: bad('crash') }, rules: [{ tool: 'fine' }], log: (line) => lines.push(line) });
  expect(lines.filter((line) => line.includes('rules['))).toEqual([]);
});

describe('a server that misbehaves', () => {
  test('ends during a call: the call was interrupted, the next one waits, and the server is started again', async () => {
    const lines: string[] = [];
    const { clock, goOn } = stoppedClock();
    const gateway = await openGateway({
      servers: { bad: bad() },
      rules: [{ tool: 'die', effects: 'none' }],
      log: (line) => lines.push(line),
      clock,
    });
    const { toolbox } = gateway;
    const died = await toolbox.answer(call('die'));
    expect(died).toMatchObject({
      status: 'error',
      error: { kind: 'interrupted', effect: 'none', message: 'The server "bad" ended while this call ran.' },
    });
    const after = await toolbox.answer(call('fine'));
    expect(after).toMatchObject({
      status: 'error',
      error: { kind: 'not_ready', effect: 'none', retryable: true, retryAfterMs: expect.any(Number) },
    });
    goOn();
    await expect.poll(() => gateway.servers()[0]?.status).toBe('running');
    expect(gateway.servers()[0]).toMatchObject({ starts: 2, problem: 'it ended' });
    expect(await toolbox.answer(call('fine'))).toMatchObject({ status: 'ok', data: 'fine' });
    expect(lines).toContain('(bad: it ended; it is started again in 1 s)');
  });

  test('ends during a call of a tool that writes: nobody knows what it did', async () => {
    const { toolbox } = await openGateway({ servers: { bad: bad() } });
    expect(await toolbox.answer(call('die'))).toMatchObject({
      error: { kind: 'interrupted', effect: 'unknown', recovery: 'verify', retryable: false },
    });
  });

  test('never answers a call: the deadline ends it, and other calls go on', async () => {
    const { toolbox } = await openGateway({ servers: { bad: bad() }, rules: [{ tool: 'hang', timeoutMs: 50 }] });
    expect(await toolbox.answer(call('hang'))).toMatchObject({ error: { kind: 'timeout', effect: 'unknown' } });
    expect(await toolbox.answer(call('fine'))).toMatchObject({ status: 'ok' });
  });

  test('floods its output, sends garbage and results of a wrong shape', async () => {
    const lines: string[] = [];
    const { toolbox } = await openGateway({
      servers: { bad: bad() },
      rules: [{ tool: 'huge', maxResultChars: 1000 }],
      log: (line) => lines.push(line),
    });
    expect(await toolbox.answer(call('flood'))).toMatchObject({ status: 'ok', data: 'flooded' });
    expect(await toolbox.answer(call('garbage'))).toMatchObject({ status: 'ok', data: 'after garbage' });
    expect(lines).toContainEqual(expect.stringMatching(/^\(bad sent something that is not MCP: /));
    expect(await toolbox.answer(call('huge'))).toMatchObject({ status: 'ok', meta: { truncated: true } });
    expect(await toolbox.answer(call('wrong_shape'))).toMatchObject({ status: 'error', error: { kind: 'bad_response' } });
    expect(await toolbox.answer(call('fine'))).toMatchObject({ status: 'ok' });
  });

  test('answers with more than is kept: that call fails, and the others go on', async () => {
    const gateway = await openGateway({ servers: { bad: bad() } });
    const { toolbox } = gateway;
    expect(await toolbox.answer(call('enormous'))).toMatchObject({
      status: 'error',
      error: {
        kind: 'bad_response',
        effect: 'unknown',
        message: expect.stringMatching(/^The server sent an answer of 12000\d{3} characters/),
      },
    });
    expect(await toolbox.answer(call('fine'))).toMatchObject({ status: 'ok', data: 'fine' });
    expect(gateway.servers()[0]).toMatchObject({ status: 'running', starts: 1 });
  });

  test('changes its list, fifty times at once: clients are told, and find the new tool', async () => {
    const gateway = await openGateway({ servers: { bad: bad() } });
    const { toolbox } = gateway;
    expect(await toolbox.answer(call('new_tool'))).toMatchObject({ error: { kind: 'unknown_tool' } });
    await toolbox.answer(call('change_list'));
    await expect.poll(() => toolbox.list().map(({ name }) => name)).toContain('new_tool');
  });

  test('writes secrets to its standard error: they are hidden in the log and in its state', async () => {
    const lines: string[] = [];
    const target = { ...bad('talks'), env: { SHOP_TOKEN: 'tiger-stripes-77' } };
    const gateway = await openGateway({ servers: { bad: target }, log: (line) => lines.push(line) });
    await expect.poll(() => lines).toEqual(['Login as postgres://[redacted]@db/x with [redacted]']);
    expect(gateway.servers()[0]?.lastLines).toEqual(lines);
  });

  test('answers with no list of tools: the tools of the others are served', async () => {
    const lines: string[] = [];
    const { toolbox } = await openGateway({ servers: { notes, bad: bad('unlisted') }, log: (line) => lines.push(line) });
    expect(await toolbox.answer(call('notes:count_notes'))).toMatchObject({ status: 'ok' });
    expect(lines).toContain('(the tools of bad cannot be read: the MCP server answered tools/list without a list of tools)');
    await expect(createGateway({ servers: { bad: bad('unlisted') } })).rejects.toThrow('without a list of tools');
  });

  test('lists a tool under the name that a rule gave another one: the other one is called by neither', async () => {
    const { toolbox } = await openGateway({
      servers: { bad: bad() },
      rules: [{ tool: 'huge', rename: 'fine', approval: true }],
      store: memoryStore(),
    });
    expect(toolbox.list().filter(({ name }) => name.startsWith('fine'))).toHaveLength(1);
    expect(await toolbox.answer(call('fine'))).toMatchObject({ status: 'ok', data: 'fine' });
  });

  test('cannot be started: the gateway says what it wrote last, and promises nothing', async () => {
    const lines: string[] = [];
    await expect(createGateway({ servers: { bad: { command: 'no-such-program' } }, log: (line) => lines.push(line) })).rejects.toThrow(
      'The server "bad" could not be started: ',
    );
    expect(lines).toEqual([]);
    await expect(createGateway({ servers: { bad: bad('crash') } })).rejects.toThrow('The server "bad" could not be started: ');
  });

  test('cannot be started, beside one that can: the other one is served, and it is tried again', async () => {
    const lines: string[] = [];
    const gateway = await openGateway({ servers: { notes, bad: { command: 'no-such-program' } }, log: (line) => lines.push(line) });
    expect(lines).toContain('(bad: it could not be started: there is no command "no-such-program"; it is started again in 1 s)');
    expect(gateway.servers().map(({ name, status }) => [name, status])).toEqual([
      ['notes', 'running'],
      ['bad', 'down'],
    ]);
    expect(await gateway.toolbox.answer(call('notes:count_notes'))).toMatchObject({ status: 'ok', data: '0' });
  });
});

test('who closes a gateway that is being closed waits for the end of its servers, too', async () => {
  const [transport, ended] = [new StdioClientTransport(bad()), Promise.withResolvers<void>()];
  const end = transport.close.bind(transport);
  transport.close = () => ended.promise.then(end);
  const stop = new AbortController();
  const gateway = await createGateway({ servers: { bad: { connect: () => transport } }, signal: stop.signal });
  stop.abort();
  let isClosed = false;
  const closed = gateway.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  ended.resolve();
  await closed;
});

test('a server that another program started ends with the gateway, though it ignores the end of its input and SIGTERM', async () => {
  const { command, args } = bad('stubborn');
  const lines: string[] = [];
  const gateway = await createGateway({
    servers: { bad: { command: 'sh', args: ['-c', '"$0" "$@"; true', command, ...args] } },
    log: (line) => lines.push(line),
  });
  const pid = await vi.waitFor(() => Number(lines.find((line) => line.startsWith('pid '))?.slice(4)));
  expect(process.kill(pid, 0)).toBe(true);
  expect(gateway.servers()[0]?.pid).not.toBe(pid);
  await gateway.close();
  // The dead are buried by the first process of the machine, in its own time.
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 15_000 });
});

test('a gateway that is closed while a server starts ends that server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-gateway-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'pid');
  // It says which process it is, and nothing else.
  const program = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); require('node:http').createServer().listen(0);`;
  const stop = new AbortController();
  const opened = createGateway({ servers: { mute: { command: execPath, args: ['-e', program] } }, signal: stop.signal });
  const pid = await vi.waitFor(() => Number(readFileSync(file, 'utf8')), { timeout: 20_000 });
  stop.abort();
  const refused = expect(opened).rejects.toThrow('The server "mute" could not be started');
  // Much sooner than a server is given up that says nothing.
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 15_000 });
  await refused;
});
