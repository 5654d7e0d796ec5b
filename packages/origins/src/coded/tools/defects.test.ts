import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createResources, createToolbox, defineResource, defineTool } from 'toolpact';
import { mcp } from 'toolpact/dialects';
import { expect, onTestFinished, test } from 'vitest';
import { json, startLoopback } from '../../../../../proofs/fixtures/start-loopback.ts';
import { readCoded } from '../../../test/read-coded.ts';
import { createDocumentIndex, createSandbox, createSerper, type SandboxOptions } from './index.ts';

// Each of these happened in the system that these tools come from. Each test shows that it cannot happen here.

function open(options: SandboxOptions) {
  const { tools, resources: definitions } = createSandbox({ visit: { allowHosts: ['127.0.0.1'] }, ...options });
  const resources = createResources(definitions);
  onTestFinished(async () => void (await resources.close()));
  return { resources, toolbox: createToolbox(tools, { resources, report: () => undefined }) };
}

function newIndex(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-defects-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'index.db');
  const index = createDocumentIndex({ path });
  index.add([{ id: 'tea', text: 'Green tea is steeped at eighty degrees.' }]);
  index.close();
  return path;
}

test('an index that fails is a failure, never a text with code 0', async () => {
  const path = newIndex();
  const { toolbox } = open({ documents: { path } });
  expect(readCoded(await toolbox.call('rag:search', { query: 'tea' })).code).toBe(0);
  const vandal = new DatabaseSync(path);
  vandal.exec('DROP TABLE chunks');
  vandal.close();
  const outcome = await toolbox.call('rag:search', { query: 'tea' });
  expect(outcome.status).toBe('error');
  expect(readCoded(outcome).code).toBe(5004);
  const batch = readCoded(await toolbox.call('rag:batch_search', { queries: ['tea', 'coffee'] }));
  expect([batch.code, batch.data?.contexts]).toEqual([5008, ['', '']]);
  expect(JSON.stringify(batch)).not.toContain('chunks');
});

test('the number and the flag of MCP always agree', async () => {
  const { toolbox } = open({ documents: { path: newIndex() } });
  for (const [name, args] of [
    ['rag:search', { query: 'tea' }],
    ['rag:search', { query: 'quantum' }],
    ['search', { query: 'tea' }],
    ['visit', { urls: 'http://10.0.0.1/' }],
  ] as const) {
    const outcome = await toolbox.answer({ name, args });
    expect(mcp.encode(outcome, { strict: true }).isError === true).toBe(readCoded(outcome).code !== 0);
  }
});

test('a partial failure on the web is never code 0', async () => {
  const server = await startLoopback(({ url, text }, response) =>
    url === '/fine'
      ? response.end('fine')
      : text.includes('good')
        ? json(response, { organic: [{ title: 't', link: 'https://t.example/' }] })
        : json(response, {}, 500),
  );
  const { toolbox } = open({ search: createSerper({ apiKey: 'k', baseUrl: server.origin }) });
  expect(readCoded(await toolbox.call('search', { query: ['good', 'bad'] })).code).toBe(5009);
  expect(readCoded(await toolbox.call('visit', { urls: [`${server.origin}/fine`, `${server.origin}/bad`] })).code).toBe(5009);
});

test('errors on the web keep their numbers apart', async () => {
  const { toolbox } = open({});
  const codes = await Promise.all(
    [
      { name: 'search', args: { query: 'no key' } },
      { name: 'search', args: {} },
      { name: 'search', args: { query: 7 } },
      { name: 'visit', args: { urls: 'no url' } },
      { name: 'visit', args: { urls: 'http://127.0.0.1:1/' } },
      { name: 'visits', args: {} },
    ].map(
      async (call) =>
        (
          await toolbox
            .answer(call)
            .then((outcome) => (outcome.meta.tool === 'visits' || call.name === 'visits' ? { code: 4001, outcome } : readCoded(outcome)))
        ).code,
    ),
  );
  expect(codes).toEqual([5001, 4002, 4003, 4004, 5006, 4001]);
});

test('a resource that opens slowly holds up no other', async () => {
  const { tools, resources: definitions } = createSandbox({ documents: { path: newIndex() } });
  const slow = defineResource({ type: 'vm', open: () => new Promise<never>(() => undefined) });
  const boot = defineTool({ name: 'vm:boot', description: 'Boots.', resource: slow, run: () => 'up' });
  const toolbox = createToolbox([...tools, boot], { resources: createResources([...definitions, slow]), report: () => undefined });
  const controller = new AbortController();
  const booting = toolbox.call('vm:boot', {}, { workerId: 'w', signal: controller.signal });
  expect((await toolbox.call('rag:search', { query: 'tea' }, { workerId: 'w' })).status).toBe('ok');
  controller.abort();
  expect((await booting).status).toBe('error');
});

test('an index that did not open does not poison the calls after it', async () => {
  const path = newIndex();
  let broken = true;
  const { toolbox, resources } = open({ documents: { path: () => (broken ? join(path, 'nowhere') : path) } });
  expect(readCoded(await toolbox.call('rag:search', { query: 'tea' })).code).toBe(4006);
  broken = false;
  expect(readCoded(await toolbox.call('rag:search', { query: 'tea' })).code).toBe(0);
  expect(resources.list().filter(({ status }) => status === 'error')).toEqual([]);
});

test('parallel calls share the index, and none closes it under another', async () => {
  const { toolbox } = open({ documents: { path: () => newIndex() } });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => toolbox.call('rag:search', { query: 'tea' }, { workerId: 'w' })));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(20).fill('ok'));
  expect((await toolbox.call('rag:search', { query: 'tea' })).status).toBe('ok');
});

test('the deadline covers the opening of the index too', async () => {
  const { toolbox } = open({ documents: { path: () => new Promise<string>(() => undefined) } });
  const outcome = await toolbox.call('rag:search', { query: 'tea' }, { timeoutMs: 50 });
  expect(outcome).toMatchObject({ error: { kind: 'timeout', effect: 'none' } });
  expect(readCoded(outcome).code).toBe(5005);
});

test('a slow site does not hold up other requests', async () => {
  const waiting: (() => void)[] = [];
  const server = await startLoopback((_, response) => {
    waiting.push(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('text'));
    // No request is answered before both have come.
    if (waiting.length === 2) for (const answer of waiting) answer();
  });
  const { toolbox } = open({});
  const outcomes = await Promise.all(['/a', '/b'].map((path) => toolbox.call('visit', { urls: `${server.origin}${path}` })));
  expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok']);
});

test('nothing is sent twice by itself, and all tools say that repeating them is safe', async () => {
  const server = await startLoopback((_, response) => json(response, {}, 500));
  const { toolbox } = open({ search: createSerper({ apiKey: 'k', baseUrl: server.origin }) });
  await toolbox.call('search', { query: 'a' });
  await toolbox.call('visit', { urls: `${server.origin}/page` });
  expect(server.requests.map(({ url }) => url)).toEqual(['/search', '/page']);
  expect(createSandbox().tools.map(({ effects }) => effects)).toEqual(['none', 'none', 'none', 'none']);
});

test('searching and visiting open no session', async () => {
  const server = await startLoopback((_, response) => response.end('text'));
  const { toolbox, resources } = open({});
  const { meta } = readCoded(await toolbox.call('visit', { urls: server.origin }, { workerId: 'w' }));
  expect([meta.session_id, meta.resource_type, meta.temporary_session]).toEqual([null, null, undefined]);
  expect(resources.count().sessions).toBe(0);
});

test('a trace id that came in goes out, with failures too', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const { toolbox } = open({});
  for (const args of [{ query: 'a' }, {}])
    expect(readCoded(await toolbox.answer({ name: 'search', args }, { traceId })).meta.trace_id).toBe(traceId);
});

test('data hold the documented fields and no copy of the arguments', async () => {
  const { toolbox } = open({ documents: { path: newIndex() } });
  expect(Object.keys(readCoded(await toolbox.call('rag:search', { query: 'tea', top_k: 3 })).data ?? {})).toEqual(['query', 'context']);
});

test('items of a batch that were not reached say so', async () => {
  const { toolbox } = open({});
  const answers = await toolbox.batch(
    [
      { id: 'a', tool: 'search', args: { query: 'x' } },
      { id: 'b', tool: 'visit', args: { urls: 'http://10.0.0.1/' } },
    ],
    { concurrency: 1, stopOnError: true },
  );
  expect(answers.map(({ outcome }) => outcome.status === 'error' && outcome.error.code)).toEqual(['api_key_not_configured', 'skipped']);
});
