import { afterEach, expect, test, vi } from 'vitest';
import { noTenant } from '../../contract/index.ts';
import { pending } from '../../outcome/index.ts';
import type { Ledger } from '../../ports/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { nextTurn } from '../../time/index.ts';
import { createToolbox } from '../../toolbox/index.ts';
import { changedAt, comparePlaces, createCallFeed, type FeedPlace, placeOf } from './call-feed.ts';

afterEach(() => void vi.useRealTimers());

const begunAt = Date.parse('2030-01-01T00:00:00Z');
const minuteMs = 60_000;

/** A toolbox whose tool asks for an input, and what watches its calls. */
function setUp() {
  vi.useFakeTimers({ toFake: ['Date'], now: begunAt });
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    effects: 'none',
    run: () => pending({ handle: `ask_${crypto.randomUUID()}`, reason: 'input', ask: { message: 'Which colour?' } }),
  });
  const store = memoryStore();
  const toolbox = createToolbox([ask], { store });
  const feed = (since?: FeedPlace) => createCallFeed({ store, tenant: noTenant }, since).look;
  const call = async (): Promise<string> => {
    const outcome = await toolbox.call('ask', {});
    return outcome.status === 'pending' ? outcome.pending.handle : '';
  };
  return { store, toolbox, feed, call };
}

test('a call that waited for long is reported when it is settled, with that time', async () => {
  const { toolbox, feed, call } = setUp();
  const look = feed();
  await look();
  const handle = await call();
  expect((await look()).changed).toMatchObject([{ tool: 'ask', status: 'pending' }]);
  vi.setSystemTime(begunAt + minuteMs);
  expect((await look()).changed).toEqual([]);
  vi.setSystemTime(begunAt + 2 * minuteMs);
  await toolbox.calls.settle(handle, 'red');
  const { changed } = await look();
  expect(changed.map((one) => [one.status, changedAt(one) - begunAt])).toEqual([['ok', 2 * minuteMs]]);
  expect((await look()).changed).toEqual([]);
  // A client that was away meanwhile gets it too.
  expect((await feed({ at: begunAt + minuteMs })()).changed).toMatchObject([{ status: 'ok' }]);
});

test('of very many calls that wait each gets its turn', async () => {
  const { toolbox, feed, call } = setUp();
  const look = feed();
  await look();
  const handles = await Promise.all(Array.from({ length: 35 }, call));
  expect((await look()).changed).toHaveLength(35);
  vi.setSystemTime(begunAt + minuteMs);
  await look();
  await Promise.all(handles.map((handle) => toolbox.calls.settle(handle, 'red')));
  let reported = 0;
  for (let looks = 0; looks < 4; looks += 1) reported += (await look()).changed.length;
  expect(reported).toBe(35);
});

test('a reader that leaves after any call gets first what follows, and then once more what came shortly before', async () => {
  const { toolbox, feed, call } = setUp();
  for (let calls = 0; calls < 3; calls += 1) await call();
  vi.setSystemTime(begunAt + 10);
  await call();
  const { calls } = await toolbox.calls.list();
  const places = calls.map(placeOf).sort(comparePlaces);
  for (const [at, place] of places.entries()) {
    const { changed } = await feed(place)();
    expect(changed.map(placeOf)).toEqual([...places.slice(at + 1), ...places.slice(0, at + 1)]);
  }
});

test('the end of a call is reported that waited for long before anything watched', async () => {
  const { toolbox, feed, call } = setUp();
  const handle = await call();
  vi.setSystemTime(begunAt + 60 * minuteMs);
  const look = feed();
  expect((await look()).changed).toEqual([]);
  await toolbox.calls.settle(handle, 'red');
  expect((await look()).changed).toMatchObject([{ status: 'ok' }]);
});

test('what changed while the store did not answer is reported as soon as it does', async () => {
  const { store, toolbox, call } = setUp();
  const ledger = store.calls as Ledger;
  let isDown = false;
  const list: Ledger['list'] = (query) => (isDown ? Promise.reject(new Error('disk full')) : ledger.list(query));
  const feed = createCallFeed({ store: { ...store, calls: { ...ledger, list } }, tenant: noTenant });
  const handle = await call();
  await feed.look();
  vi.setSystemTime(begunAt + minuteMs);
  await toolbox.calls.settle(handle, 'red');
  isDown = true;
  await expect(feed.look()).rejects.toThrow('The calls cannot be read');
  isDown = false;
  expect((await feed.look()).changed).toMatchObject([{ status: 'ok' }]);
  feed.close();
});

test.each<[string, number, 'get' | 'list']>([
  ['began long before the feed', minuteMs, 'get'],
  ['began with the feed', 0, 'list'],
])('a call that %s, and ends while it is read, is read again', async (_, ageMs, name) => {
  const { store, toolbox, call } = setUp();
  const ledger = store.calls as Ledger;
  let end: (() => Promise<unknown>) | undefined;
  const endMeanwhile = async <TFound>(found: Promise<TFound>): Promise<TFound> => {
    const before = await found;
    await end?.();
    end = undefined;
    for (let turns = 0; turns < 5; turns += 1) await nextTurn();
    return before;
  };
  const slow: Partial<Ledger> = {
    get: (...place) => endMeanwhile(ledger.get(...place)),
    list: (query) => endMeanwhile(ledger.list(query)),
  };
  const calls: Ledger = { ...ledger, [name]: slow[name] };
  const feed = createCallFeed({ store: { ...store, calls }, tenant: noTenant });
  const handle = await call();
  vi.setSystemTime(begunAt + ageMs);
  await feed.look();
  vi.setSystemTime(begunAt + minuteMs);
  end = () => toolbox.calls.settle(handle, 'red');
  expect((await feed.look()).changed).toEqual([]);
  vi.setSystemTime(begunAt + 2 * minuteMs);
  expect((await feed.look()).changed).toMatchObject([{ status: 'ok' }]);
  feed.close();
});

test('a change of a call ends the wait for the next look, of this tenant alone', async () => {
  const { store, toolbox, call } = setUp();
  vi.useFakeTimers({ now: begunAt });
  const feed = createCallFeed({ store, tenant: noTenant });
  const handle = await call();
  for (let looks = 0; looks < 2; looks += 1) await feed.look();
  let isOver = false;
  void feed.next(AbortSignal.any([])).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(300);
  await toolbox.call('ask', {}, { tenantId: 'another' });
  await vi.advanceTimersByTimeAsync(300);
  expect(isOver).toBe(false);
  await toolbox.calls.settle(handle, 'red');
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver).toBe(true);
  feed.close();
});
