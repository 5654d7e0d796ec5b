import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { propertyRuns } from '../../../../../proofs/fixtures/property-runs.ts';
import { takes } from '../../../../../proofs/fixtures/skip-time.ts';
import { defineResource } from '../../contract/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { createToolbox } from '../index.ts';
import { createResources } from './create-resources.ts';

beforeAll(() => void vi.useFakeTimers({ now: 0 }));
afterAll(() => void vi.useRealTimers());

interface Life {
  readonly key: string;
  closed: number;
  usedAfterClose: boolean;
}

const worker = fc.constantFrom('a', 'b', 'c');
const type = fc.constantFrom('own', 'common');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), worker, type, big: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('use' as const), worker, type, ms: fc.nat(400), timeoutMs: fc.integer({ min: 1, max: 600 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('use by id' as const), worker, ms: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('destroy' as const), worker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refresh' as const), worker }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(700) }) },
);
/** How each opening goes: how long it takes, and whether it fails. */
const opening = fc.record({ ms: fc.constantFrom(0, 0, 5, 150, 900), fails: fc.constantFrom(false, false, false, true) });

test('every value that was opened is closed exactly once and never used after, whatever happens in whatever order', async () => {
  let opened = 0;
  let used = 0;
  let strangers = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), fc.infiniteStream(opening), async (steps, openings) => {
      const lives: Life[] = [];
      const open = async (key: string): Promise<Life> => {
        const { ms, fails } = openings.next().value;
        if (ms > 0) await takes(ms);
        if (fails) throw new Error('does not open');
        const life = { key, closed: 0, usedAfterClose: false };
        lives.push(life);
        return life;
      };
      const close = async (life: Life): Promise<void> => {
        life.closed += 1;
        await takes(20);
      };
      const times = { ttlMs: 500, openTimeoutMs: 700 };
      const own = defineResource({ type: 'own', ...times, open: ({ worker: key }) => open(String(key)), close });
      const common = defineResource({ type: 'common', ...times, shared: true, open: () => open('common'), close });
      const resources = createResources([own, common], { sweepMs: 90, lateMs: 1000 });
      const use = defineTool({
        name: 'use',
        description: 'x',
        input: z.object({ type: z.string(), ms: z.number() }),
        async run({ type: wanted, ms }, ctx) {
          const life = (await ctx.resource(wanted)) as Life;
          if (wanted === 'own' && life.key !== ctx.workerId) strangers += 1;
          life.usedAfterClose ||= life.closed > 0;
          await takes(ms);
          life.usedAfterClose ||= life.closed > 0;
          used += 1;
          return null;
        },
      });
      const toolbox = createToolbox([use], { report: () => undefined, resources });
      const pending: Promise<unknown>[] = [];
      for (const one of steps) {
        if (one.do === 'create') {
          const request = { type: one.type, worker: one.worker, ...(one.big && { config: { big: true } }) };
          pending.push(resources.create(request).catch((thrown: unknown) => thrown));
        } else if (one.do === 'use') {
          const { type: wanted, ms, timeoutMs } = one;
          pending.push(toolbox.call('use', { type: wanted, ms }, { workerId: one.worker, timeoutMs }));
        } else if (one.do === 'use by id') {
          const [session] = resources.list({ worker: one.worker });
          if (session !== undefined)
            pending.push(toolbox.call('use', { type: 'own', ms: one.ms }, { sessionId: session.id, workerId: one.worker }));
        } else if (one.do === 'destroy') {
          pending.push(resources.destroy({ worker: one.worker }));
        } else if (one.do === 'refresh') {
          resources.refresh({ worker: one.worker });
        } else {
          await vi.advanceTimersByTimeAsync(one.ms);
        }
      }
      const closing = resources.close({ timeoutMs: 100_000 });
      await vi.advanceTimersByTimeAsync(200_000);
      await Promise.all(pending);
      expect((await closing).failed).toBe(0);
      expect(lives.filter(({ closed }) => closed !== 1)).toEqual([]);
      expect(lives.filter(({ usedAfterClose }) => usedAfterClose)).toEqual([]);
      expect(resources.count()).toEqual({ sessions: 0, temporary: 0, workers: 0 });
      opened += lives.length;
    }),
    propertyRuns(500),
  );
  expect(strangers).toBe(0);
  // It would prove nothing if nothing had happened.
  expect(opened).toBeGreaterThan(100);
  expect(used).toBeGreaterThan(100);
});
