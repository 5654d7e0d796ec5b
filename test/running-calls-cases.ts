import { afterEach, describe, expect, test, vi } from 'vitest';
import { noTenant } from '../src/core/contract/index.ts';
import type { EventOf } from '../src/core/events/index.ts';
import type { Store } from '../src/core/ports/index.ts';
import { createToolbox, defineTool, fail } from '../src/index.ts';
import type { CallFilter } from '../src/parts/guards/index.ts';
import { defer, journal } from '../src/parts/guards/index.ts';
import { endIndex, startIndex, toRunning } from '../src/parts/guards/journal/listed-call.ts';

/** Far more than a page looks through. */
const total = 3_000;
const beginAt = Date.now() + 60_000;

/** Writes calls that have ended, as the journal does; all began after those that the test makes. */
async function writeEnded(store: Store): Promise<void> {
  const write = async (number: number): Promise<void> => {
    const tool = number % 2 === 0 ? 'hang' : 'other';
    const event = { type: 'call-start', tool, invocationId: `ended-${number}`, at: beginAt + number, input: {}, traceId: 'trace' };
    const [start, at] = [event as unknown as EventOf<'call-start'>, { tenant: noTenant, key: event.invocationId }];
    const running = toRunning({ event: start });
    await store.put({ ...at, space: 'call', value: { v: 1 }, index: startIndex(start, { v: 1, call: running }) }, 0);
    const index = endIndex(tool, event.at, { ...running, status: 'ok' });
    await store.put({ ...at, space: 'call-end', value: { v: 1 }, index }, 0);
  };
  await Promise.all(Array.from({ length: total }, (_, number) => write(number)));
}

/** Checks that calls which have not ended are found behind any number of those that have, with the work of one page. */
export function checkRunningCalls(name: string, open: () => Store): void {
  describe(`calls that have not ended, on ${name}`, () => {
    afterEach(() => void vi.useRealTimers());

    test(`are found behind ${total} that have, with the work of those that are listed`, async () => {
      // What looks for calls that run for long does so when the test says.
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const store = open();
      let [statements, rows] = [0, 0];
      const counted: Store = {
        ...store,
        async find(query) {
          const page = (await store.find?.(query)) ?? { rows: [] };
          statements += 1;
          rows += page.rows.length;
          return page;
        },
      };
      let letGo: () => void = () => undefined;
      const gone = new Promise<string>((resolve) => {
        letGo = () => resolve('done');
      });
      const hang = defineTool({ name: 'hang', description: 'Hangs.', effects: 'none', run: () => gone });
      const crawl = defineTool({ name: 'crawl', description: 'Goes on.', effects: 'none', deferAfterMs: 1, run: () => gone });
      const nap = defineTool({
        name: 'nap',
        description: 'Sleeps.',
        steps: true,
        run: (_input, ctx) => ctx.sleep(3_600_000),
      });
      const lose = defineTool({ name: 'lose', description: 'Fails.', effects: 'none', run: () => fail('timeout', 'Too late.') });
      const use = [journal({ store: counted }), defer({ store: counted })] as const;
      const box = createToolbox([hang, crawl, nap, lose], { use, report: () => undefined });
      await box.call('lose', {}, { invocationId: 'lost' });
      await box.call('nap', {}, { invocationId: 'sleeps' });
      await box.call('crawl', {}, { invocationId: 'deferred' });
      const hanging = box.call('hang', {}, { invocationId: 'runs' });
      await vi.waitFor(async () => expect((await box.calls({ tool: 'hang' })).calls).toHaveLength(1), { timeout: 60_000 });
      vi.advanceTimersByTime(2_000);
      const shown = () => store.list({ space: 'call-running', tenant: noTenant });
      await vi.waitFor(async () => expect(await shown()).toHaveLength(2), { timeout: 60_000 });
      await writeEnded(store);

      const page = async (filter: CallFilter) => {
        [statements, rows] = [0, 0];
        const { calls, next } = await box.calls(filter);
        // A statement for each place and for the ends of what was found there; the newest 200 calls are looked at, and their ends.
        return { ids: calls.map(({ id }) => id), hasMore: next !== undefined, isCheap: statements <= 10 && rows <= 430 };
      };
      const found = (...ids: string[]) => ({ ids, hasMore: false, isCheap: true });
      expect(await page({ status: 'running' })).toEqual(found('runs', 'deferred'));
      expect(await page({ status: 'running', tool: 'hang' })).toEqual(found('runs'));
      expect(await page({ status: 'running', tool: ['lose', 'nap'] })).toEqual(found());
      expect(await page({ status: 'pending' })).toEqual(found('sleeps'));
      expect(await page({ status: ['running', 'pending'] })).toEqual(found('runs', 'deferred', 'sleeps'));
      expect(await page({ status: ['running', 'error'] })).toEqual(found('runs', 'deferred', 'lost'));

      // One by one, while they end.
      const openCalls: CallFilter = { status: ['running', 'pending', 'error'], limit: 1 };
      const first = await box.calls(openCalls);
      expect(first.calls.map(({ id }) => id)).toEqual(['runs']);
      letGo();
      await hanging;
      const wanted = { ...found(), ids: ['sleeps', 'lost'] };
      await vi.waitFor(async () => expect(await page({ status: ['running', 'pending', 'error'] })).toEqual(wanted), { timeout: 60_000 });
      const second = await box.calls({ ...openCalls, cursor: first.next });
      expect(second.calls.map(({ id }) => id)).toEqual(['sleeps']);
      expect(await page({ status: 'running' })).toEqual(found());
      await vi.waitFor(async () => expect(await shown()).toEqual([]), { timeout: 60_000 });
      await box.cancel('sleeps');
      expect((await page({ status: 'pending' })).ids).toEqual([]);
    });

    test('are listed once while they end between two pages', async () => {
      const store = open();
      const ends: (() => void)[] = [];
      const hang = defineTool({
        name: 'hang',
        description: 'Hangs.',
        effects: 'none',
        run: () => new Promise<void>((end) => ends.push(end)),
      });
      const box = createToolbox([hang], { use: [journal({ store })], report: () => undefined });
      const calls = ['a', 'b', 'c'].map((id) => box.call('hang', {}, { invocationId: id }));
      await vi.waitFor(async () => expect((await box.calls({ status: 'running' })).calls).toHaveLength(3), { timeout: 60_000 });
      const filter: CallFilter = { status: ['running', 'ok'], limit: 1 };
      const first = await box.calls(filter);
      for (const end of ends) end();
      await Promise.all(calls);
      const second = await box.calls({ ...filter, cursor: first.next });
      const third = await box.calls({ ...filter, cursor: second.next });
      const listed = [first, second, third].flatMap((page) => page.calls.map(({ id, status }) => `${id} ${status}`));
      expect(listed).toHaveLength(3);
      expect(listed[0]).toMatch(/ running$/);
      expect(new Set(listed.map((line) => line[0])).size).toBe(3);
    });
  });
}
