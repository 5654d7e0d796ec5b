import { describe, expect, test, vi } from 'vitest';
import { createToolbox, defineTool } from '../../index.ts';
import { toModelText } from '../../outcome/index.ts';
import type { Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { readPage } from './result-page.ts';
import { resultReader, spill } from './spill.ts';

const report = () => undefined;
const rows = Array.from({ length: 500 }, (_, index) => ({ id: index, name: `row ${index}` }));

function setUp(store: Store = memoryStore(), maxStoredChars?: number) {
  const tool = defineTool({
    name: 'query',
    description: 'Queries.',
    effects: 'none',
    maxResultChars: 2000,
    run: () => ({ rows, note: 'x'.repeat(30_000) }),
  });
  return createToolbox([tool, resultReader({ store })], {
    use: [spill({ store, ...(maxStoredChars !== undefined && { maxStoredChars }) })],
    report,
  });
}

describe('a result that is too large', () => {
  test('is kept whole; the model gets a preview and learns how to read on', async () => {
    const box = setUp();
    const outcome = await box.call('query', {});
    const { resultRef = '', truncated } = outcome.meta;
    expect([outcome.status, truncated, resultRef.slice(0, 7)]).toEqual(['ok', true, 'result_']);
    expect(JSON.stringify(outcome).length).toBeLessThan(6000);
    expect(toModelText(outcome)).toContain(`read_result {"ref":"${resultRef}"`);
    const page = await box.answer({ name: 'read_result', args: { ref: resultRef, path: 'rows', offset: 490, limit: 20 } });
    expect(page.status === 'ok' && page.data).toEqual({ path: 'rows', type: 'list', total: 500, offset: 490, value: rows.slice(490) });
    const text = await box.readResult(resultRef, { path: 'note', limit: 5 });
    expect(text.status === 'ok' && text.data).toEqual({ path: 'note', type: 'text', total: 30_000, offset: 0, value: 'xxxxx', next: 5 });
  });

  test("is its tenant's own", async () => {
    const box = setUp();
    const { meta } = await box.call('query', {}, { tenantId: 't1' });
    const read = async (tenantId: string) => (await box.with({ tenantId }).readResult(meta.resultRef ?? '')).status;
    expect([await read('t1'), await read('t2')]).toEqual(['ok', 'error']);
  });

  test('names the tool that made it, to its tenant alone, or says that the store does not answer', async () => {
    const store = memoryStore();
    const box = setUp(store);
    const { meta } = await box.call('query', {}, { tenantId: 't1' });
    const { resultRef = '' } = meta;
    const make = (tenantId: string, ref: string) => box.with({ tenantId }).toolOfResult(ref);
    expect([await make('t1', resultRef), await make('t2', resultRef), await make('t1', 'none')]).toEqual(['query', undefined, undefined]);
    await store.put({ space: 'result', tenant: 't1', key: 'newer', value: { v: 2, tool: 'query' } });
    expect(await make('t1', 'newer')).toBeUndefined();
    const broken = setUp({ ...store, get: () => Promise.reject(new Error('gone')) });
    await expect(broken.with({ tenantId: 't1' }).toolOfResult(resultRef)).rejects.toThrow('cannot be read now: the store failed');
  });

  test.each<[string, Store, number | undefined, string]>([
    ['its store is broken', { ...memoryStore(), put: () => Promise.reject(new Error('full')) }, undefined, 'the store failed'],
    ['it is beyond all measure', memoryStore(), 1000, 'it has'],
  ])('is only cut where %s, and says so', async (_, store, most, why) => {
    const { meta } = await setUp(store, most).call('query', {});
    expect([meta.truncated, meta.resultRef]).toEqual([true, undefined]);
    expect(meta.warnings?.at(-1)).toContain(`the whole result was not kept: ${why}`);
  });

  test('is read to its end, row by row, by following `next`', async () => {
    const store = memoryStore();
    const wide = Array.from({ length: 40 }, (_, id) => ({ id, text: 'x'.repeat(10_000) }));
    const tool = defineTool({ name: 'query', description: 'Queries.', effects: 'none', run: () => wide });
    const box = createToolbox([tool, resultReader({ store })], { use: [spill({ store })], report });
    const ref = (await box.call('query', {})).meta.resultRef ?? '';
    const read: number[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = await box.readResult(ref, { offset });
      if (page.status !== 'ok') throw new Error(page.status);
      expect(page.meta.truncated).toBeUndefined();
      read.push(...(page.data.value as { id: number }[]).map(({ id }) => id));
      offset = page.data.next;
    }
    expect(read).toEqual(wide.map(({ id }) => id));
  });

  test('that is not too large is left alone', async () => {
    const inner = memoryStore();
    const put = vi.fn(inner.put);
    const store = { ...inner, put };
    const small = defineTool({ name: 'small', description: 'Small.', run: () => 'x' });
    const outcome = await createToolbox([small], { use: [spill({ store })], report }).call('small', {});
    expect(outcome.meta.resultRef).toBeUndefined();
    expect(put).not.toHaveBeenCalled();
  });
});

test.each([
  [{ ref: '' }, 'invalid_input'],
  [{}, 'invalid_input'],
  [{ ref: 'r', offset: -1 }, 'invalid_input'],
  [{ ref: 'r', limit: 1.5 }, 'invalid_input'],
  [{ ref: 'r', path: 5 }, 'invalid_input'],
  [{ ref: 'nothing' }, 'not_found'],
])('reading %o is %s', async (args, kind) => {
  const outcome = await setUp().answer({ name: 'read_result', args });
  expect(outcome.status === 'error' && outcome.error.kind).toBe(kind);
});

test.each([
  ['', 'object', 2],
  ['list', 'list', 3],
  ['list.2.deep', 'text', 4],
  ['/list/0', 'value', 1],
])('the path "%s" leads to a %s of %i', (path, type, total) => {
  expect(readPage({ list: [1, null, { deep: 'text' }], a: 1 }, { path })).toMatchObject({ type, total });
});

test.each(['list.3', 'nothing', '__proto__', 'list.length', 'a.b'])('the path "%s" leads nowhere', (path) => {
  expect(readPage({ list: [1, 2, 3], a: 1 }, { path })).toBeUndefined();
});

test('a page of a text never ends inside a character', () => {
  const text = `${'a'.repeat(9)}😀${'b'.repeat(9)}`;
  const first = readPage(text, { limit: 10 });
  const second = readPage(text, { offset: first?.next ?? 0 });
  expect([first?.value, second?.value]).toEqual(['aaaaaaaaa😀', 'bbbbbbbbb']);
});
