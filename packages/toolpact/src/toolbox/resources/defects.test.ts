import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { takes } from '../../../../../proofs/fixtures/skip-time.ts';
import { defineResource, type ResourceContract, type StandardSchemaV1 } from '../../contract/index.ts';
import { fail } from '../../outcome/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { createToolbox } from '../index.ts';
import { createResources, type ResourcesOptions } from './create-resources.ts';

beforeAll(() => void vi.useFakeTimers({ now: 0 }));
afterAll(() => void vi.useRealTimers());

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

type Machine = { closed: boolean };
type Contract = Partial<ResourceContract<Machine, StandardSchemaV1<object, object>>>;

function setUp(contract: Contract = {}, options: ResourcesOptions = {}, expose: 'redacted' | 'authored' = 'redacted') {
  let ran = 0;
  const vm = defineResource<Machine, StandardSchemaV1<object, object>>({
    type: 'vm',
    open: () => ({ closed: false }),
    close: (machine) => {
      machine.closed = true;
    },
    ...contract,
  });
  const resources = createResources([vm], options);
  const click = defineTool({
    name: 'vm:click',
    description: 'Clicks.',
    resource: vm,
    async run(_, ctx) {
      ran += 1;
      const machine = await ctx.resource(vm);
      await takes(ctx.workerId === 'quick' ? 10 : 100);
      return { closed: machine.closed };
    },
  });
  const plain = defineTool({ name: 'vm:version', description: 'Tells a version.', run: () => '1.0' });
  const toolbox = createToolbox([click, plain], { report: () => undefined, resources, expose });
  const call = (workerId: string, timeoutMs = 30_000) => toolbox.call('vm:click', {}, { workerId, timeoutMs });
  return { resources, toolbox, call, ran: () => ran };
}

const slowly = (ms: number): Machine | Promise<Machine> => (ms === 0 ? { closed: false } : takes(ms).then(() => ({ closed: false })));
const failing = (): never => {
  throw new Error('Traceback: File "/srv/app/vm.py", line 3');
};

/** Defects of the system that this contract comes from, and why they cannot occur here. */
const defects: Readonly<Record<string, () => Promise<void>>> = {
  'one slow initialisation blocks every worker': async () => {
    const { call, resources } = setUp({ open: ({ worker }) => slowly(worker === 'slow' ? 60_000 : 0) });
    const slow = resources.create({ type: 'vm', worker: 'slow' });
    const quick = call('quick');
    await pass(10);
    expect(await quick).toMatchObject({ status: 'ok' });
    await pass(60_000);
    await slow;
  },
  'a failed session stays in the table and fails all later calls': async () => {
    let tries = 0;
    const { call, resources } = setUp({
      open: () => {
        tries += 1;
        return tries === 1 ? failing() : { closed: false };
      },
    });
    await resources.create({ type: 'vm', worker: 'w' }).catch(() => undefined);
    const next = call('w');
    await pass(100);
    expect(await next).toMatchObject({ status: 'ok' });
  },
  'a temporary session that failed is not removed': async () => {
    const { call, resources } = setUp({ open: failing });
    expect(await call('w')).toMatchObject({ status: 'error' });
    expect(resources.count().sessions).toBe(0);
  },
  'the first of two parallel calls destroys the temporary session under the second': async () => {
    const { call } = setUp();
    const first = call('w');
    await pass(50);
    const second = call('w');
    await pass(50);
    expect(await first).toMatchObject({ status: 'ok', data: { closed: false } });
    await pass(50);
    expect(await second).toMatchObject({ status: 'ok', data: { closed: false } });
  },
  'the timeout does not cover warm-up': async () => {
    const { call, ran } = setUp({ warmUp: () => takes(60_000) });
    const outcome = call('w', 500);
    await pass(500);
    expect(await outcome).toMatchObject({ error: { kind: 'timeout', effect: 'none' } });
    await pass(60_000);
    expect(ran()).toBe(0);
  },
  'the timeout does not cover the creation of a session': async () => {
    const { call, ran } = setUp({ open: () => slowly(60_000) });
    const outcome = call('w', 500);
    await pass(500);
    expect(await outcome).toMatchObject({ error: { kind: 'timeout', effect: 'none' } });
    await pass(60_000);
    expect(ran()).toBe(0);
  },
  'warm-up errors are ignored and the tool runs anyway': async () => {
    const { call, ran } = setUp({ warmUp: failing });
    expect(await call('w')).toMatchObject({ error: { kind: 'not_ready', details: { stage: 'warm_up' } } });
    expect(ran()).toBe(0);
  },
  'a backend that returns its failure instead of throwing counts as initialised': async () => {
    const index = setUp({ warmUp: () => fail('unreachable', 'The index is not there.') });
    expect(await index.call('w')).toMatchObject({ error: { kind: 'not_ready', details: { stage: 'warm_up' } } });
    const session = setUp({ open: () => fail('upstream', 'No machine is free.') as never });
    const message = expect.stringContaining('No machine is free.');
    expect(await session.call('w')).toMatchObject({ error: { kind: 'not_ready', details: { stage: 'open' }, message } });
    expect(session.ran()).toBe(0);
    expect(await setUp({ open: () => new Error('x') as never }).call('w')).toMatchObject({
      error: { kind: 'not_ready', details: { stage: 'open' } },
    });
  },
  'a heartbeat does not keep sessions alive': async () => {
    const { resources } = setUp({ ttlMs: 1000 }, { sweepMs: 10 });
    await resources.create({ type: 'vm', worker: 'w' });
    for (let beat = 0; beat < 10; beat += 1) {
      await pass(900);
      expect(resources.refresh({ worker: 'w' })).toHaveLength(1);
    }
  },
  'the interval of the sweep is read and not used': async () => {
    const { resources } = setUp({ ttlMs: 1000 }, { sweepMs: 60 });
    await resources.create({ type: 'vm', worker: 'w' });
    await pass(1020);
    expect(resources.count().sessions).toBe(0);
  },
  'creating a session that exists gives no status': async () => {
    const { resources } = setUp();
    const statuses = [1, 2].map(async () => (await resources.create({ type: 'vm', worker: 'w' })).status);
    expect(await Promise.all(statuses)).toEqual(['active', 'active']);
  },
  'a name with the prefix of a resource turns a stateless tool into a session tool': async () => {
    const { toolbox, resources } = setUp({ open: failing });
    const outcome = await toolbox.call('vm:version', {}, { workerId: 'w' });
    expect(outcome).toMatchObject({ status: 'ok', data: '1.0' });
    expect(outcome.meta).not.toHaveProperty('resourceType');
    expect(resources.count().sessions).toBe(0);
  },
  'tracebacks and paths go to strangers': async () => {
    const { call } = setUp({ open: failing }, {}, 'authored');
    const text = JSON.stringify(await call('w'));
    expect(text).toContain('"stage":"open"');
    expect(text).not.toContain('/srv/app');
  },
};

test.each(Object.entries(defects))('it cannot happen that %s', (_, check) => check());
