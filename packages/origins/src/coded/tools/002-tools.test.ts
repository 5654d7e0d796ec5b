import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResources, createToolbox } from 'toolpact';
import { describe, expect, onTestFinished, test } from 'vitest';
import { article, json, page, startLoopback } from '../../../../../proofs/fixtures/start-loopback.ts';
import { readCoded } from '../../../test/read-coded.ts';
import { preset } from '../preset.ts';
import { createDocumentIndex, createSandbox, createSerper, type SandboxOptions } from './index.ts';

function open(options: SandboxOptions) {
  const { tools, resources: definitions } = createSandbox(options);
  const resources = createResources(definitions);
  onTestFinished(async () => void (await resources.close()));
  const toolbox = createToolbox(tools, { preset, resources, report: () => undefined });
  return async (name: string, args: object) => readCoded(await toolbox.answer({ name, args }));
}

function documents(): SandboxOptions {
  const folder = mkdtempSync(join(tmpdir(), 'origins-rag-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'index.db');
  const index = createDocumentIndex({ path });
  index.add([{ id: 'warranty', text: 'The warranty lasts two years.' }]);
  index.close();
  return { documents: { path } };
}

describe('002 tool-specific data fields', () => {
  test('002-37 `search` has `result` and `query`', async () => {
    const organic = [{ title: 'Kyoto', link: 'https://a.example/', snippet: 'Temples', position: 1 }];
    const server = await startLoopback((_, response) => json(response, { organic }));
    const { code, data } = await open({ search: createSerper({ baseUrl: server.origin, apiKey: 'key-1' }) })('search', { query: 'kyoto' });
    expect(code).toBe(0);
    expect(data).toEqual({ result: expect.stringContaining('Kyoto'), query: 'kyoto' });
  });

  const opening = 'The museum opens at ten in the morning, every day except Monday, and closes at five in the afternoon.';
  const shapes = [
    article('Museum', opening),
    `<html><body><p>${opening}</p></body></html>`,
    `<p>${opening}</p>`,
    `<title>Museum</title><body><p>${opening}</p>`,
  ];
  test.each(shapes)('002-38 `visit` has `result`, `urls` and `goal` (%#)', async (html) => {
    const server = await startLoopback((_, response) => page(response, html));
    const { code, data } = await open({ visit: { allowHosts: ['127.0.0.1'] } })('visit', { urls: [server.origin], goal: 'hours' });
    expect(code).toBe(0);
    expect(data).toEqual({ result: expect.stringContaining(opening), urls: [server.origin], goal: 'hours' });
  });

  test('002-38 `visit` has a `warning` where only some pages were read', async () => {
    const server = await startLoopback((request, response) =>
      request.url === '/gone' ? response.writeHead(404).end() : page(response, article('Museum', opening)),
    );
    const urls = [server.origin, `${server.origin}/gone`];
    const { code, data } = await open({ visit: { allowHosts: ['127.0.0.1'] } })('visit', { urls, goal: 'hours' });
    expect(code).toBe(5009);
    expect(data).toEqual({
      result: expect.stringContaining(opening),
      urls: [server.origin],
      goal: 'hours',
      warning: expect.any(String),
    });
  });

  test('002-39 `rag:search` has `query` and `context`', async () => {
    const { code, data } = await open(documents())('rag:search', { query: 'warranty' });
    expect(code).toBe(0);
    expect(data).toEqual({ query: 'warranty', context: expect.stringContaining('The warranty lasts two years.') });
  });

  test('002-40 `rag:batch_search` has `count` and `contexts`', async () => {
    const { code, data } = await open(documents())('rag:batch_search', { queries: ['warranty', 'years'] });
    expect(code).toBe(0);
    const found = expect.stringContaining('The warranty lasts two years.');
    expect(data).toEqual({ count: 2, contexts: [found, found] });
  });

  test('002-40 `rag:batch_search` has `errors` where some queries failed', async () => {
    const { code, data } = await open(documents())('rag:batch_search', { queries: ['warranty', 'quantum'] });
    expect(code).toBe(5009);
    const errors = [{ index: 1, error: expect.any(String) }];
    expect(data).toEqual({ count: 2, contexts: [expect.stringContaining('warranty'), ''], errors });
  });
});
