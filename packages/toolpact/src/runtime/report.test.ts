import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { fail, toModelText } from '../outcome/index.ts';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import type { FailureReport } from './failure-report.ts';
import { defineGuard } from './guards/define-guard.ts';
import { causeOf } from './report.ts';

const canaries = {
  key: 'sk-live-9f8e7d6c5b4a39281706',
  bearer: 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ',
  url: 'https://ada:hunter2canary@api.example.com/v1?token=querycanary',
  database: 'postgres://ada:dbcanary@db.internal:5432/shop',
  cookie: 'Set-Cookie: session=cookiecanary; HttpOnly',
  private: '-----BEGIN PRIVATE KEY-----\nMIIcanary\n-----END PRIVATE KEY-----',
};
const traces = /9f8e7d6c5b4a39281706|c2lnbmF0dXJlLWNhbmFyeQ|hunter2canary|querycanary|dbcanary|cookiecanary|MIIcanary|mycanary|pathcanary/;

test('no secret leaves by any way out: answer, model text, events, log, report', async () => {
  const out: unknown[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation((...args) => void out.push(args));
  const all = Object.values(canaries).join(' ');
  const leaky = (name: string, run: () => unknown) => defineTool({ name, description: 'x', run });
  const tools = [
    leaky('throwing', () => {
      throw Object.assign(new Error(all, { cause: new Error(all) }), {
        status: 502,
        url: canaries.url,
        body: { error: { message: all } },
        headers: { 'x-request-id': canaries.key },
      });
    }),
    leaky('failing', () =>
      fail('conflict', `Taken: ${all} mycanary-12`, {
        details: { note: all, password: 'pathcanary' },
        issues: [{ path: [], problem: 'rule', message: all }],
        upstream: { endpoint: canaries.url },
        code: canaries.key,
      }),
    ),
  ];
  const redact = { patterns: [/mycanary-\d+/g], paths: ['inner.place'] };
  for (const report of [undefined, (record: FailureReport) => out.push(record)]) {
    const toolbox = createToolbox(tools, { redact, ...(report && { report }) });
    toolbox.subscribe((event) => out.push(event));
    for (const { name } of tools) {
      const outcome = await toolbox.answer({ name, args: { a: 1 } });
      out.push(outcome, toModelText(outcome));
      if (outcome.status === 'error') out.push(causeOf(outcome.error.debugId ?? ''));
    }
    await toolbox.answer({ name: `nope ${canaries.key}` });
  }
  log.mockRestore();
  expect(out.length).toBeGreaterThan(15);
  const text = JSON.stringify(out);
  expect(text).toContain('[redacted]');
  expect(text).not.toMatch(traces);
});

test('arguments are redacted for operators and untouched for the caller', async () => {
  const records: FailureReport[] = [];
  const tool = defineTool({ name: 'act', description: 'x', run: () => fail('upstream', 'x') });
  const toolbox = createToolbox([tool], { report: (record) => records.push(record), redact: { paths: ['inner.place'] } });
  const outcome = await toolbox.answer({ name: 'act', args: { password: 'p', inner: { place: 'home' }, q: 'x' } });
  expect(records[0]?.input).toEqual({ password: '[redacted]', inner: { place: '[redacted]' }, q: 'x' });
  expect(outcome.input).toEqual({ password: 'p', inner: { place: 'home' }, q: 'x' });
});

test('successful data is never rewritten', async () => {
  const data = { token: canaries.key, url: canaries.url };
  const tool = defineTool({ name: 'act', description: 'x', run: () => data });
  expect(await tool.call({})).toMatchObject({ data: { token: canaries.key, url: canaries.url } });
});

test('one record per failure holds the full cause with its stack, the original not enumerable', async () => {
  const records: FailureReport[] = [];
  const cause = new TypeError('inner');
  const thrown = new Error('outer', { cause });
  const tool = defineTool({ name: 'act', description: 'x', run: () => Promise.reject(thrown) });
  const outcome = await createToolbox([tool], { report: (record) => records.push(record) }).answer({ name: 'act', args: { a: 1 } });
  if (outcome.status !== 'error') expect.unreachable();
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({
    tool: 'act',
    input: { a: 1 },
    debugId: outcome.error.debugId,
    error: { name: 'Error', message: 'outer', stack: expect.stringContaining('report.test.ts'), cause: { name: 'TypeError' } },
  });
  expect(records[0]?.thrown).toBe(thrown);
  expect(Object.keys(records[0] ?? {})).not.toContain('thrown');
  expect(causeOf(outcome.error.debugId ?? '')).toMatchObject({ error: { message: 'outer' } });
  expect(JSON.stringify(outcome)).not.toContain('report.test.ts');
});

test('the last 256 causes are kept', async () => {
  const tool = defineTool({ name: 'act', description: 'x', run: () => fail('upstream', 'x') });
  const toolbox = createToolbox([tool], { report: () => undefined });
  const ids: string[] = [];
  for (let count = 0; count < 300; count += 1) {
    const outcome = await toolbox.answer({ name: 'act' });
    if (outcome.status === 'error') ids.push(outcome.error.debugId ?? '');
  }
  expect(causeOf(ids[43] ?? '')).toBeUndefined();
  expect(causeOf(ids[44] ?? '')).toBeDefined();
  expect(causeOf('nothing')).toBeUndefined();
});

test('what was thrown is named, also where it is no error', async () => {
  const thrown = [
    new Response('no', { status: 503, statusText: 'Service Unavailable' }),
    'a word',
    { code: 'x' },
    null,
    Object.create(null),
  ];
  const names: unknown[] = [];
  for (const value of thrown) {
    const tool = defineTool({ name: 'act', description: 'x', run: () => Promise.reject(value) });
    await createToolbox([tool], { report: ({ error }) => names.push([error?.name, error?.message]) }).call('act', {});
  }
  expect(names).toEqual([
    ['Response', 'Service Unavailable'],
    ['String', '"a word"'],
    ['Object', '{"code":"x"}'],
    ['object', 'null'],
    ['object', '{}'],
  ]);
});

test('by default a cause is logged in full once, then counted, and what is no fault not at all', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const tool = defineTool({ name: 'logs_once', description: 'x', run: () => Promise.reject(new Error('x')) });
  const silent = (['denied', 'cancelled', 'invalid_input', 'unknown_tool'] as const).map((kind) =>
    defineTool({ name: `logs_no_${kind}`, description: 'x', run: () => fail(kind, 'No.') }),
  );
  const callAll = async () => {
    await tool.call({ password: 'hunter2', q: 'rain' } as never);
    for (const { call } of silent) await call({});
  };
  for (let count = 0; count < 5; count += 1) await callAll();
  clock.mockReturnValue(62_000);
  await callAll();
  clock.mockReturnValue(124_000);
  await callAll();
  const lines = log.mock.calls.map(([line]) => String(line));
  log.mockRestore();
  clock.mockRestore();
  const line = String.raw`toolpact: logs_once failed: .* \[debugId [\da-f-]{36}\]`;
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(String.raw`^${line}\n {2}arguments: password \(text of 10\), q \(text of 4\)\n {2}Error: x\n {4}at `)),
    expect.stringMatching(new RegExp(String.raw`^${line} \(4 more since the last line\)$`)),
    expect.stringMatching(new RegExp(`^${line}$`)),
  ]);
});

test('the log names the arguments of a failed call by kind and size, and shows none of their values', async () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  const tool = defineTool({ name: 'charges', description: 'x', run: () => Promise.reject(new Error('x')) });
  const outcome = await tool.call({
    email: 'jane@example.org',
    card: 4111111111111111,
    note: '4111 1111 1111 1111',
    lines: [{ to: 'Jane Doe' }],
    address: { city: 'Oslo', zip: null },
    'jane@example.org': true,
    gone: null,
  } as never);
  log.mockRestore();
  expect(lines[0]).toContain(
    '\n  arguments: email (text of 16), card (number), note (text of 19), lines (list of 1), address (object of 2), another name (boolean), gone (null)\n',
  );
  expect(lines.join()).not.toMatch(/jane|4111|Oslo/i);
  // Who asks for them has them.
  expect(causeOf(outcome.status === 'error' ? outcome.error.debugId : '')?.input).toMatchObject({ email: 'jane@example.org' });
});

test('kept causes do not hold the long texts they were cut from', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const breaks = defineTool({
    name: 'breaks',
    description: 'x',
    input: z.object({ text: z.string() }),
    run({ text }) {
      throw Object.assign(new Error(text), { status: 500, body: text });
    },
  });
  const plain = defineTool({
    name: 'plain',
    description: 'x',
    input: z.object({ text: z.string() }),
    run({ text }) {
      throw new Error(text);
    },
  });
  const short = defineTool({
    name: 'short',
    description: 'x',
    input: z.object({ text: z.string() }),
    run() {
      throw new Error('no');
    },
  });
  // The functions of a guard are on the stack of what its calls throw.
  const guard = defineGuard({ name: 'between', phase: 'policy', around: (_call, next) => next() });
  const box = createToolbox([breaks, plain, short], { use: [guard], report: () => undefined });
  const before = heap();
  for (let count = 0; count < 256; count += 1) {
    await box.call((['breaks', 'plain', 'short'] as const)[count % 3] ?? 'short', {
      text: `${crypto.randomUUID()}${count} ${'word '.repeat(100_000)}`,
    });
  }
  // 256 texts of 500,000 characters are 128 MB.
  expect(heap() - before).toBeLessThan(40);
});

test.each<[string, () => unknown, boolean]>([
  ['a failure that the author wrote', () => fail('upstream', 'The bank is closed.'), false],
  ['a failure with a cause', () => fail('upstream', 'The bank is closed.', { cause: new Error('ECONNRESET') }), true],
  [
    'a bug',
    () => {
      throw new TypeError('x is not a function');
    },
    true,
  ],
])('the log shows the stack of %s only where it helps', async (name, run, hasStack) => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  await createToolbox([defineTool({ name: `bank_${name.length}`, description: 'x', run })]).answer({ name: `bank_${name.length}` });
  log.mockRestore();
  expect(lines.join('\n').includes('\n    at ')).toBe(hasStack);
});

test('the log shows what caused a failure that another error wraps', async () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  const run = () => fail('not_ready', 'The store is silent.', { cause: new Error('connect ECONNREFUSED') });
  await createToolbox([defineTool({ name: 'wraps', description: 'x', run })]).answer({ name: 'wraps' });
  log.mockRestore();
  expect(lines.join('\n')).toMatch(/\n {2}ToolFailure: The store is silent\.\n {4}at [\s\S]*\n {2}Error: connect ECONNREFUSED\n {4}at /);
});

test('one failure is one record of the log, whatever its message, its stack and its id contain', async () => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation((text: string) => void lines.push(...text.split(/\r\n|[\n\r\u2028]/)));
  const forged = 'toolpact: pay failed (internal): all is well [debugId 1]';
  const broken = defineTool({
    name: 'broken_log',
    description: 'x',
    run: () => {
      throw new TypeError(`pay is not a function\n${forged}\r${forged}\u2028${forged}`, { cause: new Error(`Worse.\n${forged}`) });
    },
  });
  const outcome = await broken.call({}, { invocationId: `id\n${forged}` });
  log.mockRestore();
  expect(outcome).toMatchObject({ error: { kind: 'internal' } });
  expect(lines.filter((line) => line.includes('all is well')).length).toBeGreaterThanOrEqual(5);
  expect(lines.filter((line) => !line.startsWith('  '))).toEqual([
    expect.stringMatching(/^toolpact: broken_log failed \(internal\): pay is not a function/),
  ]);
});
