import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResources, createToolbox, type JsonObject } from 'toolpact';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCoded } from '../../../../test/read-coded.ts';
import { createDocumentIndex, createSandbox, type DocumentsOptions } from '../index.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-rag-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function fill(path: string, texts: Readonly<Record<string, string>>): void {
  const index = createDocumentIndex({ path });
  index.add(Object.entries(texts).map(([id, text]) => ({ id, text })));
  index.close();
}

function open(documents?: DocumentsOptions) {
  const { tools, resources: definitions } = createSandbox({ documents });
  const resources = createResources(definitions);
  onTestFinished(async () => void (await resources.close()));
  const toolbox = createToolbox(tools, { resources, report: () => undefined });
  const call = async (name: string, args: JsonObject, context = {}) => readCoded(await toolbox.answer({ name, args }, context));
  return { resources, toolbox, call };
}

const texts = {
  warranty: 'The warranty lasts two years from the day of purchase.',
  返品: '返品は到着から三十日以内に受け付けます。',
  退货: '商品可在七天内无理由退货。',
};

describe('rag:search', () => {
  test.each([
    ['How long is the warranty?', '[1] warranty, part 1\nThe warranty lasts two years from the day of purchase.'],
    ['返品は何日以内ですか', '[1] 返品, part 1\n返品は到着から三十日以内に受け付けます。'],
    ['怎么退货', '[1] 退货, part 1\n商品可在七天内无理由退货。'],
  ])('%s', async (query, context) => {
    const path = join(folder(), 'index.db');
    fill(path, texts);
    const { code, data, meta } = await open({ path }).call('rag:search', { query });
    expect([code, data, meta.resource_type]).toEqual([0, { query, context }, 'rag']);
  });

  test('gives as many pieces as were asked for', async () => {
    const path = join(folder(), 'index.db');
    fill(path, Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`d${n}`, `apple number ${n}`])));
    const { call } = open({ path });
    const count = async (args: JsonObject) =>
      String((await call('rag:search', { query: 'apple', ...args })).data?.context).split('\n\n').length;
    expect([await count({}), await count({ top_k: 2 }), await count({ top_k: 50 })]).toEqual([5, 2, 9]);
  });

  test('finds nothing: 4005', async () => {
    const path = join(folder(), 'index.db');
    fill(path, texts);
    const { call, toolbox } = open({ path });
    expect(await call('rag:search', { query: 'quantum' })).toMatchObject({
      code: 4005,
      message: 'No document matches “quantum”.',
      data: { query: 'quantum', context: '' },
    });
    expect(await toolbox.call('rag:search', { query: 'quantum' })).toMatchObject({
      error: { kind: 'not_found', code: 'no_results_found', retryable: false },
    });
  });

  test.each([
    [4002, {}],
    [4003, { query: 7 }],
    [4003, { query: ' ' }],
    [4003, { query: 'a', top_k: 0 }],
    [4003, { query: 'a', top_k: '5' }],
  ])('refuses arguments with %i: %j', async (code, args) => {
    expect((await open({ path: ':memory:' }).call('rag:search', args)).code).toBe(code);
  });

  test('can be called by any of its spellings', async () => {
    const path = join(folder(), 'index.db');
    fill(path, texts);
    const { call } = open({ path });
    for (const name of ['rag:search', 'rag_search', 'rag-search', 'rag.search'])
      expect((await call(name, { query: 'warranty' })).code).toBe(0);
  });
});

describe('rag:batch_search', () => {
  test.each([
    [
      0,
      ['warranty', '返品'],
      [
        '[1] warranty, part 1\nThe warranty lasts two years from the day of purchase.',
        '[1] 返品, part 1\n返品は到着から三十日以内に受け付けます。',
      ],
      undefined,
    ],
    [
      5009,
      ['quantum', '退货'],
      ['', '[1] 退货, part 1\n商品可在七天内无理由退货。'],
      [{ index: 0, error: 'No document matches “quantum”.' }],
    ],
    [
      5008,
      ['quantum', 'gravity'],
      ['', ''],
      [
        { index: 0, error: 'No document matches “quantum”.' },
        { index: 1, error: 'No document matches “gravity”.' },
      ],
    ],
  ])('ends as %i: %j', async (code, queries, contexts, errors) => {
    const path = join(folder(), 'index.db');
    fill(path, texts);
    const answer = await open({ path }).call('rag:batch_search', { queries });
    expect([answer.code, answer.data]).toEqual([code, { count: 2, contexts, ...(errors !== undefined && { errors }) }]);
  });

  test('gives as much as fits, and counts the rest', async () => {
    const path = join(folder(), 'index.db');
    fill(path, Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`d${n}`, `apple number ${n} ${'x'.repeat(1_500)}`])));
    const { data } = await open({ path }).call('rag:batch_search', { queries: Array(50).fill('apple'), top_k: 20 });
    const contexts = data?.contexts as string[];
    expect(contexts).toHaveLength(50);
    expect(contexts[49]).toMatch(/^\[1\] .*\[2\] .*\[18 more left out\]$/s);
    expect(JSON.stringify(data).length).toBeLessThan(262_144);
  });

  test.each([
    [4002, {}],
    [4003, { queries: 'a' }],
    [4003, { queries: [] }],
    [4003, { queries: ['a', ''] }],
  ])('refuses arguments with %i: %j', async (code, args) => {
    expect((await open({ path: ':memory:' }).call('rag:batch_search', args)).code).toBe(code);
  });
});

describe('the index as a resource', () => {
  test('is warmed up before the first call, and says when it is ready', async () => {
    const path = join(folder(), 'index.db');
    fill(path, texts);
    const { resources, call } = open({ path });
    expect(resources.warmUps()).toEqual([{ type: 'rag', status: 'cold' }]);
    expect(await resources.warmUp()).toEqual([{ type: 'rag', status: 'ready' }]);
    expect((await call('rag:search', { query: 'warranty' })).code).toBe(0);
  });

  test('is 5010 while it cannot be warmed up, and comes back by itself', async () => {
    const path = join(folder(), 'later', 'index.db');
    const { resources, call, toolbox } = open({ path });
    expect(await call('rag:search', { query: 'warranty' })).toMatchObject({ code: 5010 });
    expect(resources.warmUps()).toEqual([{ type: 'rag', status: 'failed' }]);
    expect(await toolbox.call('rag:search', { query: 'warranty' })).toMatchObject({
      error: { kind: 'not_ready', details: { stage: 'warm_up' }, retryable: true },
    });
    mkdirSync(join(path, '..'));
    fill(path, texts);
    expect(await call('rag:search', { query: 'warranty' })).toMatchObject({ code: 0 });
  });

  test('says of a collection without documents that it is empty', async () => {
    const path = join(folder(), 'index.db');
    fill(path, {});
    expect(await open({ path }).call('rag:search', { query: 'warranty' })).toMatchObject({
      code: 4005,
      message: 'The document collection is empty: nothing has been put into it yet.',
    });
  });

  test('is 5010 for a file that is no index', async () => {
    const path = join(folder(), 'index.db');
    writeFileSync(path, 'x'.repeat(5000));
    expect((await open({ path }).call('rag:search', { query: 'warranty' })).code).toBe(5010);
  });

  test('is 4006 when the file went away after the warm-up, and comes back by itself', async () => {
    const inner = join(folder(), 'inner');
    mkdirSync(inner);
    const path = join(inner, 'index.db');
    fill(path, texts);
    const { resources, call } = open({ path });
    await resources.warmUp();
    rmSync(inner, { recursive: true });
    expect((await call('rag:search', { query: 'warranty' })).code).toBe(4006);
    mkdirSync(inner);
    fill(path, texts);
    expect((await call('rag:search', { query: 'warranty' })).code).toBe(0);
  });

  test('is 4006, and not worth trying again, when none is configured', async () => {
    const { call, toolbox, resources } = open();
    expect(await call('rag:search', { query: 'a' })).toMatchObject({
      code: 4006,
      message: expect.stringContaining('give `documents: { path }` to `createSandbox`'),
    });
    expect(await toolbox.call('rag:batch_search', { queries: ['a'] })).toMatchObject({ error: { kind: 'not_ready', retryable: false } });
    expect(await resources.warmUp()).toEqual([{ type: 'rag', status: 'ready' }]);
  });

  test('shows documents at once that another process puts in', async () => {
    const path = join(folder(), 'index.db');
    const { call } = open({ path });
    expect((await call('rag:search', { query: 'warranty' })).code).toBe(4005);
    fill(path, texts);
    expect((await call('rag:search', { query: 'warranty' })).code).toBe(0);
  });

  test('keeps tenants apart when each has a file', async () => {
    const base = folder();
    const path = (tenantId: string) => join(base, `${tenantId}.db`);
    fill(path('acme'), { plan: 'The secret plan of acme' });
    fill(path('other'), { plan: 'Nothing planned' });
    const { call } = open({ path });
    expect((await call('rag:search', { query: 'secret' }, { tenantId: 'acme' })).code).toBe(0);
    expect((await call('rag:search', { query: 'secret' }, { tenantId: 'other' })).code).toBe(4005);
  });

  test('is closed at the end, and nothing is left of its log', async () => {
    const path = join(folder(), 'index.db');
    const { resources, call } = open({ path });
    await call('rag:search', { query: 'a' });
    expect(existsSync(`${path}-wal`)).toBe(true);
    expect(await resources.close()).toMatchObject({ failed: 0 });
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});
