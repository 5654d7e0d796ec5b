import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probe } from './field-probe.ts';
import { fieldServers } from './field-servers.ts';

/** Servers that speak the protocol over stdio, line by line: one that does everything wrong, and one that does nothing wrong. */
const program = (body: string) => `import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const string = { type: 'object', properties: { name: { type: 'string', description: 'Whom to greet.' } }, required: ['name'], additionalProperties: false };
const greeting = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const tools = [{ name: 'greet', description: 'Greets somebody by name.', inputSchema: string, outputSchema: greeting, annotations: { readOnlyHint: true } }];
const text = (text, rest = {}) => ({ content: [{ type: 'text', text }], ...rest });
const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') return send({ id, result: info });
  if (method === 'tools/list') return send({ id, result: { tools } });
  if (method === 'ping') return send({ id, result: {} });
  const { name, arguments: args } = params;
  ${body}
});
`;
const wrong = `console.log('a line for people');
  if (name !== 'greet') return send({ id, result: text('What is ' + name + '?') });
  if (typeof args.name !== 'string') return send({ id, result: text('Hello ' + process.env.FIELD_REPORT_TOKEN) });
  if (args.no_such_field !== undefined) return send({ id, result: text(new Error('x').stack, { isError: true, structuredContent: {} }) });
  if (args.name.length % 2 === 0) return send({ id, result: text('Error: no such person in ' + process.cwd()) });
  return send({ id, result: text('Hello', { structuredContent: { text: 1 } }) });`;
const right = `if (name !== 'greet') return send({ id, error: { code: -32602, message: 'Unknown tool: ' + name } });
  const strange = Object.keys(args).find((key) => key !== 'name');
  if (strange !== undefined) return send({ id, result: text(strange + ' is not known', { isError: true }) });
  if (typeof args.name !== 'string') return send({ id, result: text('name must be a text', { isError: true }) });
  return send({ id, result: text('Hello', { structuredContent: { text: 'Hello' } }) });`;

let cache = '';
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'field-cache-'));
  for (const [name, body] of Object.entries({ wrong, right })) {
    mkdirSync(join(cache, 'node_modules', name), { recursive: true });
    writeFileSync(join(cache, 'node_modules', name, 'server.mjs'), program(body));
  }
});
afterAll(() => rmSync(cache, { recursive: true, force: true }));

test('a server that does everything wrong gets every finding', async () => {
  const result = await probe({ name: 'wrong', version: '1.0.0', file: 'server.mjs' }, cache);
  expect(result).toMatchObject({ tools: 1, withOutput: 1, withHints: 1, unknownTool: 'success', isNoisy: true });
  expect(result.wrong.taken).toBeGreaterThan(0);
  expect(result.right.hidden + result.output.broken).toBe(result.right.tried);
  expect(result.leaks.secret).toBeGreaterThan(0);
  expect(result.leaks.stack).toBeGreaterThan(0);
  expect(result.structuredErrors).toBeGreaterThan(0);
  expect(Object.keys(result.examples)).toEqual(
    expect.arrayContaining(['unknown tool', 'wrong arguments taken', 'shows a secret', 'shows a stack']),
  );
  expect(JSON.stringify(result)).not.toContain('fr-9c1e77a0d5b84f6c');
});

test('a server that does nothing wrong gets none', async () => {
  const result = await probe({ name: 'right', version: '1.0.0', file: 'server.mjs' }, cache);
  expect(result).toMatchObject({
    unknownTool: 'protocol error',
    wrong: { taken: 0, silent: 0 },
    right: { hidden: 0, silent: 0, failed: 0 },
    leaks: { stack: 0, path: 0, secret: 0 },
    output: { missing: 0, broken: 0 },
    structuredErrors: 0,
    isNoisy: false,
    afterCancel: 'answers',
    examples: {},
  });
  expect(result.namesField).toBe(result.wrong.refused);
  expect(result.wrong.refused).toBe(result.wrong.tried);
});

test('a server that dies at an invalid line is reported, and the rest of the report remains', async () => {
  mkdirSync(join(cache, 'node_modules/frail'), { recursive: true });
  const dying = program(right).replace('const { id,', "if (!line.startsWith('{')) process.exit(1);\n  const { id,");
  writeFileSync(join(cache, 'node_modules/frail/server.mjs'), dying);
  expect(await probe({ name: 'frail', version: '1.0.0', file: 'server.mjs' }, cache)).toMatchObject({ afterJunk: 'gone', findings: {} });
});

test('at least five servers are in the report, each in one version', () => {
  expect(fieldServers.length).toBeGreaterThanOrEqual(5);
  for (const { version } of fieldServers) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('behind the gateway, wrong arguments reach no server, and secrets do not come out', async () => {
  const server = { name: 'wrong', version: '1.0.0', file: 'server.mjs' };
  const result = await probe(server, cache, { isWrapped: true });
  expect(result).toMatchObject({ tools: 1, isNoisy: false, afterCancel: 'answers', afterJunk: 'answers' });
  expect(result.wrong).toMatchObject({ taken: 0, silent: 0 });
  expect(result.leaks).toEqual({ stack: 0, path: 0, secret: 0 });
  expect(result.output.broken).toBe(0);
});
