import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { takes } from '../../../../../proofs/fixtures/skip-time.ts';
import {
  type CallContext,
  defineResource,
  noTenant,
  type OpenContext,
  type ResourceContract,
  type StandardSchemaV1,
} from '../../contract/index.ts';
import { fail, type Outcome, type ToolFailure } from '../../outcome/index.ts';
import type { Guard } from '../../ports/index.ts';
import { defineGuard, defineTool } from '../../runtime/index.ts';
import { createToolbox, type ToolboxOptions } from '../index.ts';
import { createResources, type ResourcesOptions } from './create-resources.ts';

// One clock for the whole file: sessions, deadlines and timers share it.
beforeAll(() => void vi.useFakeTimers({ now: 0 }));
afterAll(() => void vi.useRealTimers());

const silent: ToolboxOptions = { report: () => undefined };
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

interface Kernel {
  readonly id: number;
  readonly worker: string | undefined;
  closed: boolean;
}

type Contract = Partial<ResourceContract<Kernel, StandardSchemaV1<object, object>>>;

/** A backend that writes down what happens to it, and a tool that uses one of its kernels for as long as it is told. */
function setUp(contract: Contract = {}, options: ResourcesOptions = {}) {
  const log: string[] = [];
  const kernels: Kernel[] = [];
  const problems: unknown[] = [];
  const kernel = defineResource<Kernel, StandardSchemaV1<object, object>>({
    type: 'kernel',
    async open({ worker, signal }) {
      signal.throwIfAborted();
      const opened = { id: kernels.length + 1, worker, closed: false };
      kernels.push(opened);
      log.push(`open ${opened.id}`);
      return opened;
    },
    close(closing) {
      if (closing.closed) log.push(`CLOSED TWICE ${closing.id}`);
      closing.closed = true;
      log.push(`close ${closing.id}`);
    },
    ...contract,
  });
  const resources = createResources([kernel], options);
  const run = defineTool({
    name: 'kernel:run',
    description: 'Runs code.',
    input: z.object({ ms: z.number().default(0), forMs: z.number().optional() }),
    resource: kernel,
    async run({ ms }, ctx) {
      const mine = await ctx.resource(kernel);
      if (ms > 0) await takes(ms);
      return { kernel: mine.id, worker: mine.worker, closed: mine.closed };
    },
  });
  const toolbox = createToolbox([run], { ...silent, resources });
  toolbox.subscribe((event) => event.type === 'problem' && problems.push(event));
  const call = (context: CallContext = {}, ms = 0): Promise<Outcome> => toolbox.call('kernel:run', { ms }, context);
  return { log, kernels, problems, kernel, resources, toolbox, call };
}

/** Fails at the first opening and takes its time for all others. */
function brokenOnce(ms: number): Contract {
  let tries = 0;
  return {
    open: async ({ worker }) => {
      tries += 1;
      if (tries === 1) throw new Error('no luck');
      await takes(ms);
      return { id: tries, worker, closed: false };
    },
  };
}

async function failureOf(promise: Promise<unknown>): Promise<ToolFailure> {
  try {
    await promise;
  } catch (thrown) {
    return thrown as ToolFailure;
  }
  return expect.unreachable('it did not fail');
}

describe('a call without a session', () => {
  test('gets a temporary one that is closed when it ends, and says so', async () => {
    const { call, log, resources } = setUp();
    const outcome = await call({ workerId: 'w' });
    expect(outcome).toMatchObject({
      status: 'ok',
      data: { kernel: 1, worker: 'w', closed: false },
      meta: { resourceType: 'kernel', sessionId: expect.stringMatching(/^ses_[0-9a-f]{32}$/), temporarySession: true },
    });
    await pass();
    expect(log).toEqual(['open 1', 'close 1']);
    expect(resources.list()).toEqual([]);
  });

  test('shares the temporary one with parallel calls of its worker; the last one closes it', async () => {
    const { call, log, resources } = setUp();
    const calls = [call({ workerId: 'w' }, 100), call({ workerId: 'w' }, 300), call({ workerId: 'w' }, 200)];
    await pass(250);
    expect(log).toEqual(['open 1']);
    expect(resources.list()).toMatchObject([{ temporary: true, users: 1, status: 'active' }]);
    await pass(100);
    expect(await Promise.all(calls)).toMatchObject(Array(3).fill({ status: 'ok', data: { kernel: 1, closed: false } }));
    expect(log).toEqual(['open 1', 'close 1']);
  });

  test.each<[string, CallContext, CallContext]>([
    ['workers', { workerId: 'a' }, { workerId: 'b' }],
    ['sessions', { sessionId: 'a' }, { sessionId: 'b' }],
    ['runs', { runId: 'run_a' }, { runId: 'run_b' }],
    ['tenants', { workerId: 'a', tenantId: 't1' }, { workerId: 'a', tenantId: 't2' }],
    ['callers that do not say who they are', {}, {}],
  ])('shares nothing between %s', async (_, first, second) => {
    const { call } = setUp();
    const calls = [call(first, 10), call(second, 10)];
    await pass(10);
    expect((await Promise.all(calls)).map((outcome) => outcome.status === 'ok' && outcome.data)).toMatchObject([
      { kernel: 1 },
      { kernel: 2 },
    ]);
  });

  test('is refused before it runs when its resource has no temporary sessions', async () => {
    const { call, log } = setUp({ temporary: false });
    const outcome = await call({ workerId: 'w' });
    expect(outcome).toMatchObject({
      status: 'error',
      error: { kind: 'not_ready', details: { stage: 'session' }, effect: 'none', recovery: 'wait', retryable: true },
    });
    expect(log).toEqual([]);
  });
});

describe('a session', () => {
  test('is opened once and used by every call of its worker', async () => {
    const { call, log, resources } = setUp();
    const { id } = await resources.create({ type: 'kernel', worker: 'w' });
    const outcomes = [await call({ workerId: 'w' }), await call({ sessionId: id }), await call({ sessionId: 'w' })];
    expect(outcomes).toMatchObject(Array(3).fill({ status: 'ok', data: { kernel: 1 }, meta: { sessionId: id, resourceType: 'kernel' } }));
    expect(outcomes.map(({ meta }) => meta.temporarySession)).toEqual([undefined, undefined, undefined]);
    expect(log).toEqual(['open 1']);
  });

  test('is shown with its facts, and without the secrets of its config', async () => {
    const { resources } = setUp({}, { config: { kernel: { image: 'small', memory: 1 } } });
    const config = { image: 'big', apiKey: 'sk-live-abcdefghijklmnopqrstuvwxyz' };
    const created = await resources.create({ type: 'kernel', worker: 'agent 7', name: 'mine', config, tenantId: 't' });
    expect(created).toEqual({
      id: expect.stringMatching(/^ses_/),
      name: expect.stringMatching(/^kernel_agent-7_\d{3}_mine$/),
      type: 'kernel',
      tenantId: 't',
      worker: 'agent 7',
      status: 'active',
      temporary: false,
      shared: false,
      users: 0,
      config: { image: 'big', memory: 1, apiKey: '[redacted]' },
      createdAt: new Date().toISOString(),
      lastUsedAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      created: true,
    });
    const { created: _, ...shown } = created;
    expect(resources.list({ tenantId: 't' })).toEqual([shown]);
    expect(resources.list()).toEqual([]);
  });

  test('that exists is given again, with its status', async () => {
    const { log, resources } = setUp();
    const [first, second] = await Promise.all([1, 2].map(() => resources.create({ type: 'kernel', worker: 'w', config: { a: 1, b: 2 } })));
    expect(second).toMatchObject({ id: first?.id, status: 'active', created: false });
    expect(await resources.create({ type: 'kernel', worker: 'w', config: { b: 2, a: 1 } })).toMatchObject({ created: false });
    expect(log).toEqual(['open 1']);
    expect(await failureOf(resources.create({ type: 'kernel', worker: 'w', config: { a: 2 } }))).toMatchObject({ kind: 'conflict' });
  });

  test('made of a temporary one stays when the call has ended', async () => {
    const { call, log, resources } = setUp();
    const running = call({ workerId: 'w' }, 100);
    await pass();
    expect(await resources.create({ type: 'kernel', worker: 'w' })).toMatchObject({ temporary: false, created: false });
    await pass(100);
    expect(await running).toMatchObject({ status: 'ok' });
    expect(log).toEqual(['open 1']);
    expect(resources.list()).toMatchObject([{ worker: 'w', users: 0 }]);
  });

  test('asked for with another config while a temporary one runs is a new one', async () => {
    const { call, log, resources } = setUp();
    const running = call({ workerId: 'w' }, 100);
    await pass();
    await resources.create({ type: 'kernel', worker: 'w', config: { big: true } });
    expect(await call({ workerId: 'w' })).toMatchObject({ data: { kernel: 2 } });
    await pass(100);
    expect(await running).toMatchObject({ status: 'ok', data: { kernel: 1, closed: false } });
    expect(log).toEqual(['open 1', 'open 2', 'close 1']);
  });

  test.each<[string, (id: string) => CallContext]>([
    ['another tenant', (id) => ({ sessionId: id, tenantId: 't2' })],
    ['another worker', (id) => ({ sessionId: id, tenantId: 't1', workerId: 'v' })],
  ])('is not there for %s, which gets no empty one in its place', async (_, contextOf) => {
    const { call, log, resources } = setUp();
    const { id } = await resources.create({ type: 'kernel', worker: 'w', tenantId: 't1' });
    expect(await call(contextOf(id))).toMatchObject({
      status: 'error',
      error: { kind: 'not_ready', details: { stage: 'session' }, advice: 'Create a session and name that.' },
    });
    expect(resources.list({ tenantId: 't2', id })).toEqual([]);
    expect(resources.refresh({ tenantId: 't2', id })).toEqual([]);
    expect(await resources.destroy({ tenantId: 't2', id })).toEqual([]);
    expect(log).toEqual(['open 1']);
  });

  test('that was destroyed is not there any more; a new one is empty', async () => {
    const { call, log, resources } = setUp();
    const { id } = await resources.create({ type: 'kernel', worker: 'w' });
    expect(await resources.destroy({ id })).toMatchObject([{ id }]);
    expect(log).toEqual(['open 1', 'close 1']);
    expect(await call({ sessionId: id })).toMatchObject({ error: { details: { stage: 'session' } } });
    expect(await resources.create({ type: 'kernel', worker: 'w' })).toMatchObject({ created: true });
    expect(log).toEqual(['open 1', 'close 1', 'open 2']);
  });

  test('that is destroyed while a call uses it is closed when that has ended', async () => {
    const { call, log, resources } = setUp();
    await resources.create({ type: 'kernel', worker: 'w' });
    const running = call({ workerId: 'w' }, 100);
    await pass(50);
    await resources.destroy({ worker: 'w' });
    expect(log).toEqual(['open 1']);
    expect(resources.list()).toEqual([]);
    await pass(50);
    expect(await running).toMatchObject({ status: 'ok', data: { closed: false } });
    expect(log).toEqual(['open 1', 'close 1']);
  });

  test('that is destroyed while it opens leaves nothing behind', async () => {
    const { log, resources, call } = setUp({
      open: async ({ worker }) => {
        await takes(100);
        log.push('opened late');
        return { id: 9, worker, closed: false };
      },
    });
    const created = failureOf(resources.create({ type: 'kernel', worker: 'w' }));
    const called = call({ workerId: 'w' });
    await pass(10);
    await resources.destroy({ worker: 'w' });
    expect(await created).toMatchObject({ kind: 'not_ready', options: { details: { stage: 'session' } } });
    expect(await called).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' } });
    await pass(100);
    expect(log).toEqual(['opened late', 'close 9']);
  });
});

test('a session that is destroyed in the very moment it opens is closed once, whichever comes first', async () => {
  for (let ticks = 0; ticks < 20; ticks += 1) {
    let open: (kernel: Kernel) => void = () => undefined;
    const opened = new Promise<Kernel>((resolve) => {
      open = resolve;
    });
    const { log, resources } = setUp({ open: () => opened });
    const created = resources.create({ type: 'kernel', worker: 'w' }).catch(() => undefined);
    await pass();
    open({ id: ticks, worker: 'w', closed: false });
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    await resources.destroy({ worker: 'w' });
    await created;
    await pass();
    expect(log).toEqual([`close ${ticks}`]);
  }
});

describe('the time of a session', () => {
  test.each([
    ['a call', ({ call }: ReturnType<typeof setUp>) => call({ workerId: 'w' })],
    ['a refresh of it', ({ resources }: ReturnType<typeof setUp>) => resources.refresh({ worker: 'w', type: 'kernel' })],
    ['a heartbeat of its worker', ({ resources }: ReturnType<typeof setUp>) => resources.refresh({ worker: 'w' })],
    ['a refresh of all', ({ resources }: ReturnType<typeof setUp>) => resources.refresh()],
  ])('begins anew with %s', async (_, use) => {
    const rig = setUp({ ttlMs: 1000 });
    await rig.resources.create({ type: 'kernel', worker: 'w' });
    await pass(900);
    await use(rig);
    await pass(900);
    expect(rig.resources.list()).toHaveLength(1);
    await pass(100);
    expect(rig.resources.list()).toEqual([]);
    expect(rig.log).toEqual(['open 1', 'close 1']);
  });

  test('is over for calls whether it was swept or not', async () => {
    const { call, resources, log } = setUp({ ttlMs: 1000 }, { sweepMs: 1_000_000 });
    const { id } = await resources.create({ type: 'kernel', worker: 'w' });
    await pass(1000);
    expect(resources.refresh({ id })).toEqual([]);
    expect(await call({ sessionId: id })).toMatchObject({ error: { details: { stage: 'session' } } });
    expect(await call({ workerId: 'w' })).toMatchObject({ status: 'ok', data: { kernel: 2 }, meta: { temporarySession: true } });
    await pass();
    expect(log).toEqual(['open 1', 'close 1', 'open 2', 'close 2']);
  });

  test('does not run while a call uses it', async () => {
    const { call, resources } = setUp({ ttlMs: 1000 }, { sweepMs: 100 });
    await resources.create({ type: 'kernel', worker: 'w' });
    const running = call({ workerId: 'w' }, 5000);
    await pass(5000);
    expect(await running).toMatchObject({ status: 'ok', data: { kernel: 1, closed: false } });
    await pass(900);
    expect(resources.list()).toHaveLength(1);
  });

  test('does not run while it opens, though its call has ended', async () => {
    const { call, resources } = setUp({ ttlMs: 300, ...brokenOnce(1000) }, { sweepMs: 50 });
    await failureOf(resources.create({ type: 'kernel', worker: 'w' }));
    const outcome = call({ workerId: 'w', timeoutMs: 100 });
    await pass(1000);
    expect(await outcome).toMatchObject({ error: { kind: 'timeout' } });
    expect(resources.list()).toMatchObject([{ status: 'active', users: 0 }]);
    await pass(350);
    expect(resources.list()).toEqual([]);
  });

  test('is looked after as often as stated, without any call', async () => {
    const { resources, log } = setUp({ ttlMs: 1000 }, { sweepMs: 60 });
    await resources.create({ type: 'kernel', worker: 'w' });
    await pass(1019);
    expect(log).toEqual(['open 1']);
    await pass(1);
    expect(log).toEqual(['open 1', 'close 1']);
    expect(resources.count()).toEqual({ sessions: 0, temporary: 0, workers: 0 });
  });

  test('leaves no timer behind when all sessions have ended', async () => {
    const before = vi.getTimerCount();
    const { resources } = setUp({ ttlMs: 10 }, { sweepMs: 10 });
    expect(vi.getTimerCount()).toBe(before);
    await resources.create({ type: 'kernel', worker: 'w' });
    expect(vi.getTimerCount()).toBe(before + 1);
    await pass(20);
    expect(vi.getTimerCount()).toBe(before);
  });

  test('may be endless', async () => {
    const { resources } = setUp({ ttlMs: Number.POSITIVE_INFINITY });
    expect(await resources.create({ type: 'kernel', worker: 'w' })).not.toHaveProperty('expiresAt');
    await pass(10 ** 10);
    expect(resources.list()).toHaveLength(1);
  });
});

describe('what fails', () => {
  const broken = (times: number, thrown: () => unknown = () => new Error('no space left')) => {
    let tries = 0;
    return {
      open: async ({ worker }: OpenContext<object>) => {
        tries += 1;
        if (tries <= times) throw thrown();
        return { id: tries, worker, closed: false };
      },
    };
  };

  test('to open is reported with its reason, and the next call tries again', async () => {
    const { call, resources } = setUp(broken(1));
    const outcome = await call({ workerId: 'w' });
    expect(outcome).toMatchObject({
      status: 'error',
      error: { kind: 'not_ready', details: { stage: 'open' }, effect: 'none', recovery: 'wait', retryable: true },
      meta: { resourceType: 'kernel', temporarySession: true, sessionId: expect.any(String) },
    });
    if (outcome.status === 'error') expect(outcome.error.message).toMatch(/"kernel" did not open.*no space left/);
    expect(resources.list()).toEqual([]);
    expect(await call({ workerId: 'w' })).toMatchObject({ status: 'ok', data: { kernel: 2 } });
  });

  test('to open as a session that was created stays visible as an error and does not poison later calls', async () => {
    const { call, resources } = setUp(broken(2));
    const failure = await failureOf(resources.create({ type: 'kernel', worker: 'w' }));
    expect(failure).toMatchObject({
      kind: 'not_ready',
      options: { details: { stage: 'open' } },
      message: 'The resource "kernel" did not open.',
    });
    expect(resources.list()).toMatchObject([{ worker: 'w', status: 'error', temporary: false }]);
    const { id } = resources.list()[0] ?? expect.unreachable();
    expect(await call({ sessionId: id })).toMatchObject({ status: 'error', error: { details: { stage: 'open' } } });
    expect(await call({ sessionId: id })).toMatchObject({ status: 'ok', data: { kernel: 3 }, meta: { sessionId: id } });
    expect(resources.list()).toMatchObject([{ id, status: 'active' }]);
  });

  test('to open is not reported in words that its author did not write, where only those may be read', async () => {
    const { resources, kernel } = setUp(broken(1));
    const use = defineTool({ name: 'use', description: 'x', resource: kernel, run: () => 1 });
    const toolbox = createToolbox([use], { ...silent, resources, expose: 'authored' });
    const outcome = await toolbox.call('use', {});
    expect(outcome).toMatchObject({ error: { details: { stage: 'open' } } });
    expect(JSON.stringify(outcome)).not.toContain('no space left');
  });

  test.each<[string, () => unknown, boolean, string, string, string]>([
    ['a bare error', () => new Error('x'), true, 'wait', 'did not open. x', 'Try again in a moment.'],
    [
      'an overloaded backend',
      () => fail('rate_limited', 'Busy.', { retryAfterMs: 5000 }),
      true,
      'wait',
      'did not open. Busy.',
      'Wait 5 s before trying again.',
    ],
    [
      'a missing key',
      () => fail('not_configured', 'No key.'),
      false,
      'stop',
      'did not open. No key.',
      'Repeating the same call will not help.',
    ],
  ])('to open because of %s is retryable: %j, and says so', async (_, thrown, retryable, recovery, words, advice) => {
    const { call } = setUp(broken(1, thrown));
    expect(await call({ workerId: 'w' })).toMatchObject({
      error: { kind: 'not_ready', details: { stage: 'open' }, retryable, recovery, message: expect.stringContaining(words), advice },
    });
  });

  test('to warm up is reported as such, and the next call tries again', async () => {
    let tries = 0;
    const { call, resources } = setUp({
      warmUp: async () => {
        tries += 1;
        if (tries === 1) throw new Error('index missing');
      },
    });
    const outcome = await call({ workerId: 'w' });
    expect(outcome).toMatchObject({ error: { kind: 'not_ready', details: { stage: 'warm_up' }, effect: 'none', retryable: true } });
    expect(resources.warmUps()).toEqual([{ type: 'kernel', status: 'failed' }]);
    expect(await call({ workerId: 'w' })).toMatchObject({ status: 'ok' });
    expect(resources.warmUps()).toEqual([{ type: 'kernel', status: 'ready' }]);
    await call({ workerId: 'w' });
    expect(tries).toBe(2);
  });

  test('to close is reported and does no harm', async () => {
    const { call, problems } = setUp({
      close: () => {
        throw new Error('stuck');
      },
    });
    expect(await call({ workerId: 'w', tenantId: 't' })).toMatchObject({ status: 'ok' });
    await pass();
    expect(problems).toMatchObject([
      { type: 'problem', where: expect.stringMatching(/^close of the resource "kernel" \(session ses_/), message: 'stuck' },
    ]);
  });

  test('to open when no call waits any more is reported', async () => {
    const { call, problems, resources } = setUp({
      open: async () => {
        await takes(200);
        throw new Error('too late to tell');
      },
    });
    const created = resources.create({ type: 'kernel', worker: 'w' }).catch(() => 'failed');
    const waiting = call({ workerId: 'w', timeoutMs: 100 });
    await pass(100);
    expect(await waiting).toMatchObject({ error: { kind: 'timeout' } });
    await pass(100);
    expect(await created).toBe('failed');
    expect(problems).toEqual([]);
    // Now only a call that has ended asks for it.
    const second = call({ workerId: 'w', timeoutMs: 100 });
    await pass(200);
    expect(await second).toMatchObject({ error: { kind: 'timeout' } });
    expect(problems).toMatchObject([{ where: expect.stringMatching(/^open of the resource "kernel"/), message: 'too late to tell' }]);
  });

  test('in a config is reported field by field', async () => {
    const { resources, call } = setUp({ config: z.object({ image: z.string() }) });
    expect(await failureOf(resources.create({ type: 'kernel', config: { image: 1 } }))).toMatchObject({
      kind: 'invalid_input',
      options: { issues: [{ path: ['config', 'image'], problem: 'type' }] },
    });
    // A temporary session has only defaults.
    expect(await call()).toMatchObject({ error: { kind: 'not_ready', details: { stage: 'open' }, recovery: 'stop' } });
    expect(await resources.create({ type: 'kernel', config: { image: 'x' } })).toMatchObject({ status: 'active' });
  });

  test.each<[string, object, string]>([
    ['an unknown type', { type: 'browser' }, 'invalid_input'],
    ['an endless worker', { type: 'kernel', worker: 'w'.repeat(300) }, 'invalid_input'],
    ['an empty name', { type: 'kernel', name: '' }, 'invalid_input'],
    ['a config that is a list', { type: 'kernel', config: [1] }, 'invalid_input'],
    ['a config that is no JSON', { type: 'kernel', config: { a: () => 1 } }, 'invalid_input'],
    ['a config beyond all measure', { type: 'kernel', config: { a: 'x'.repeat(70_000) } }, 'too_large'],
  ])('as a request: %s', async (_, request, kind) => {
    const { resources } = setUp();
    expect(await failureOf(resources.create(request as never))).toMatchObject({ kind });
    expect(resources.list()).toEqual([]);
  });
});

describe('the deadline and the abort of a call', () => {
  const slow = (log: string[]): Contract => ({
    open: async ({ worker, signal }) => {
      signal.addEventListener('abort', () => log.push('aborted'));
      await takes(1000);
      log.push('opened');
      return { id: 1, worker, closed: false };
    },
    close: () => void log.push('closed'),
  });

  test.each<[string, Contract]>([
    ['a warm-up', { warmUp: () => takes(10_000) }],
    ['an opening', { open: async ({ worker }) => takes(10_000).then(() => ({ id: 1, worker, closed: false })) }],
    ['an opening that never ends', { open: () => new Promise(() => undefined) }],
  ])('covers %s', async (_, contract) => {
    const { call } = setUp(contract);
    const at = Date.now();
    const outcome = call({ workerId: 'w', timeoutMs: 100 });
    const controller = new AbortController();
    const aborted = call({ workerId: 'w', signal: controller.signal });
    await pass(50);
    controller.abort();
    expect(await aborted).toMatchObject({ error: { kind: 'cancelled', effect: 'none' } });
    expect(Date.now() - at).toBe(50);
    await pass(50);
    expect(await outcome).toMatchObject({ error: { kind: 'timeout', effect: 'none', retryable: true }, meta: { resourceType: 'kernel' } });
    await pass(20_000);
  });

  test('stop an opening for a temporary session, and close what comes after all', async () => {
    const log: string[] = [];
    const { call, resources } = setUp(slow(log));
    const outcome = call({ workerId: 'w', timeoutMs: 100 });
    await pass(100);
    expect(await outcome).toMatchObject({ error: { kind: 'timeout' } });
    expect(log).toEqual(['aborted']);
    expect(resources.list()).toEqual([]);
    await pass(1000);
    expect(log).toEqual(['aborted', 'opened', 'closed']);
  });

  test('leave an opening for a session that lasts alone, and it is kept', async () => {
    const log: string[] = [];
    const { call, resources } = setUp(slow(log));
    const created = resources.create({ type: 'kernel', worker: 'w' });
    const outcome = call({ workerId: 'w', timeoutMs: 100 });
    await pass(100);
    expect(await outcome).toMatchObject({ error: { kind: 'timeout' } });
    expect(resources.list()).toMatchObject([{ status: 'initializing' }]);
    await pass(900);
    expect(await created).toMatchObject({ status: 'active' });
    expect(await call({ workerId: 'w' })).toMatchObject({ status: 'ok' });
    expect(log).toEqual(['opened']);
  });

  test('do not close a value under a tool that goes on; it has a while to end', async () => {
    const { call, log } = setUp({}, { lateMs: 500 });
    const polite = call({ workerId: 'a', timeoutMs: 100 }, 300);
    const hung = call({ workerId: 'b', timeoutMs: 100 }, 10_000);
    await pass(100);
    expect([await polite, await hung]).toMatchObject([{ error: { kind: 'timeout' } }, { error: { kind: 'timeout' } }]);
    expect(log).toEqual(['open 1', 'open 2']);
    await pass(200);
    expect(log).toEqual(['open 1', 'open 2', 'close 1']);
    await pass(299);
    expect(log).toEqual(['open 1', 'open 2', 'close 1']);
    await pass(1);
    expect(log).toEqual(['open 1', 'open 2', 'close 1', 'close 2']);
    await pass(10_000);
  });

  test('an opening that hangs fails in its own time, so that it cannot poison its session', async () => {
    let tries = 0;
    const log: string[] = [];
    const { resources, call } = setUp({
      openTimeoutMs: 1000,
      open: async ({ worker }) => {
        tries += 1;
        const mine = tries;
        if (mine === 1) await takes(5000);
        return { id: mine, worker, closed: false };
      },
      close: ({ id }) => void log.push(`close ${id}`),
    });
    const created = failureOf(resources.create({ type: 'kernel', worker: 'w' }));
    await pass(1000);
    expect(await created).toMatchObject({ kind: 'not_ready', options: { details: { stage: 'open' } } });
    expect(await call({ workerId: 'w' })).toMatchObject({ status: 'ok', data: { kernel: 2 } });
    await pass(4000);
    expect(log).toEqual(['close 1']);
    expect(await call({ workerId: 'w' })).toMatchObject({ status: 'ok', data: { kernel: 2 } });
  });
});

describe('opening', () => {
  test('of one that is slow holds up no other', async () => {
    const { resources, call } = setUp({
      open: async ({ worker }) => {
        if (worker === 'slow') await takes(60_000);
        return { id: 1, worker, closed: false };
      },
    });
    const slow = resources.create({ type: 'kernel', worker: 'slow' });
    await pass();
    const at = Date.now();
    await resources.create({ type: 'kernel', worker: 'fast' });
    expect(await call({ workerId: 'fast' })).toMatchObject({ status: 'ok', data: { worker: 'fast' } });
    expect(await call({ workerId: 'other' })).toMatchObject({ status: 'ok', data: { worker: 'other' } });
    expect(resources.list().map(({ worker, status }) => [worker, status])).toEqual([
      ['slow', 'initializing'],
      ['fast', 'active'],
    ]);
    expect(Date.now()).toBe(at);
    await pass(60_000);
    expect(await slow).toMatchObject({ status: 'active' });
  });

  test('joins all who ask at once, for a thousand sessions too', async () => {
    const { resources, call, log, kernels } = setUp({ warmUp: () => takes(10) });
    const workers = Array.from({ length: 1000 }, (_, index) => `w${index}`);
    const created = Promise.all(workers.map((worker) => resources.create({ type: 'kernel', worker })));
    const calls = Promise.all([...workers, ...workers].map((workerId) => call({ workerId })));
    await pass(10);
    expect(new Set((await created).map(({ id }) => id)).size).toBe(1000);
    expect((await calls).every(({ status }) => status === 'ok')).toBe(true);
    expect(kernels).toHaveLength(1000);
    expect(resources.count()).toEqual({ sessions: 1000, temporary: 0, workers: 1000 });
    expect(await resources.close()).toEqual({ closed: 1000, failed: 0 });
    expect(log.slice(1000)).toEqual(
      log
        .slice(0, 1000)
        .reverse()
        .map((line) => line.replace('open', 'close')),
    );
  });

  test('warms up once per process, wherever the sessions are kept', async () => {
    let warmed = 0;
    const { kernel, resources } = setUp({
      warmUp: async () => {
        await takes(10);
        warmed += 1;
      },
    });
    const others = createResources([kernel]);
    const both = Promise.all([resources.create({ type: 'kernel' }), others.create({ type: 'kernel' }), others.warmUp()]);
    expect(resources.warmUps()).toEqual([{ type: 'kernel', status: 'warming' }]);
    await pass(10);
    await both;
    expect(await others.warmUp(['kernel'])).toEqual([{ type: 'kernel', status: 'ready' }]);
    expect(warmed).toBe(1);
  });

  test('is refused when there are too many sessions, until some have ended', async () => {
    const { resources, call } = setUp({ ttlMs: 1000 }, { maxSessions: 3, maxPerTenant: 2, sweepMs: 10 ** 9 });
    const create = (tenantId: string, worker: string) => resources.create({ type: 'kernel', tenantId, worker });
    await Promise.all([create('a', '1'), create('a', '2')]);
    expect(await failureOf(create('a', '3'))).toMatchObject({ kind: 'not_ready', options: { details: { stage: 'session' } } });
    await create('b', '1');
    expect(await call({ tenantId: 'c', workerId: '1' })).toMatchObject({
      error: {
        kind: 'not_ready',
        message: 'There are too many sessions already.',
        advice: 'End some, or wait until some have ended.',
      },
    });
    await pass(1000);
    expect(await call({ tenantId: 'c', workerId: '1' })).toMatchObject({ status: 'ok' });
    expect(resources.count().sessions).toBe(0);
  });
});

test('the configs of all sessions together are bounded, and the last tenth is kept for tenants that hold less', async () => {
  const { resources } = setUp({ ttlMs: 1000 }, { sweepMs: 10 ** 9 });
  const config = { note: 'x'.repeat(60_000) };
  const create = (tenantId: string, worker: number) => resources.create({ type: 'kernel', tenantId, worker: `${worker}`, config });
  const greedy = await Promise.allSettled(Array.from({ length: 600 }, (_, at) => create('greedy', at)));
  const opened = greedy.filter(({ status }) => status === 'fulfilled').length;
  expect(opened * 60_000).toBeLessThanOrEqual(28_800_000);
  expect((opened + 1) * 60_020).toBeGreaterThan(28_800_000);
  await create('modest', 1);
  await resources.destroy({ tenantId: 'greedy', worker: '0' });
  await resources.destroy({ tenantId: 'greedy', worker: '1' });
  await create('greedy', 601);
});

test('one tenant cannot take all sessions: the last tenth is kept for tenants that hold less', async () => {
  const { resources } = setUp({ ttlMs: 1000 }, { maxSessions: 20, sweepMs: 10 ** 9 });
  const create = (tenantId: string, worker: number) => resources.create({ type: 'kernel', tenantId, worker: `${worker}` });
  const greedy = await Promise.allSettled(Array.from({ length: 25 }, (_, at) => create('greedy', at)));
  expect(greedy.filter(({ status }) => status === 'fulfilled')).toHaveLength(18);
  await create('modest', 1);
  expect(await failureOf(create('greedy', 99))).toMatchObject({ kind: 'not_ready' });
  await create('other', 1);
  expect(resources.count().sessions).toBe(20);
});

describe('a shared resource', () => {
  test.each<[true | 'process', number]>([
    [true, 2],
    ['process', 1],
  ])('with shared: %j is opened once for all callers of all workers, so %i times for two tenants', async (shared, times) => {
    const { call, kernels, resources } = setUp({ shared });
    const contexts = ['t1', 't2'].flatMap((tenantId) => ['a', 'b', 'c'].map((workerId) => ({ tenantId, workerId })));
    const outcomes = await Promise.all(contexts.map((context) => call(context)));
    expect(kernels).toHaveLength(times);
    expect(kernels.map(({ worker }) => worker)).toEqual(Array(times).fill(undefined));
    expect(outcomes[0]?.meta).toMatchObject({ resourceType: 'kernel' });
    expect(outcomes[0]?.meta).not.toHaveProperty('temporarySession');
    expect(resources.list({ tenantId: 't1' })).toHaveLength(shared === 'process' ? 0 : 1);
    expect(await resources.create({ type: 'kernel', tenantId: 't1', worker: 'x' })).toMatchObject({ shared: true, created: false });
  });

  test('is closed when it is not used for its time', async () => {
    const { call, log } = setUp({ shared: true, ttlMs: 1000 }, { sweepMs: 100 });
    await call();
    await pass(1100);
    expect(log).toEqual(['open 1', 'close 1']);
  });
});

describe('closing', () => {
  test('ends everything in reverse order of opening, whatever fails', async () => {
    const log: string[] = [];
    const part = (type: string, ms: number) =>
      defineResource({
        type,
        open: () => void log.push(`open ${type}`),
        close: async () => {
          await takes(ms);
          log.push(`close ${type}`);
          if (type === 'b') throw new Error('b does not like it');
        },
      });
    const resources = createResources([part('a', 0), part('b', 30), part('c', 10)]);
    const problems: unknown[] = [];
    createToolbox([], { resources }).subscribe((event) => void problems.push(event));
    for (const [type, worker] of [
      ['a', 'v'],
      ['b', 'w'],
      ['c', 'v'],
      ['a', 'w'],
    ] as const)
      await resources.create({ type, worker });
    const closed = resources.close();
    await pass(100);
    expect(await closed).toEqual({ closed: 3, failed: 1 });
    expect(log).toEqual(['open a', 'open b', 'open c', 'open a', 'close a', 'close c', 'close b', 'close a']);
    expect(problems).toMatchObject([{ type: 'problem', where: expect.stringMatching(/^close of the resource "b"/) }]);
    expect(resources.close()).toBe(closed);
  });

  test('is bounded, however long a value takes to close', async () => {
    const closed: number[] = [];
    const { resources } = setUp({
      close: async ({ id }) => {
        if (id === 2) await new Promise(() => undefined);
        closed.push(id);
      },
    });
    for (const worker of ['1', '2', '3']) await resources.create({ type: 'kernel', worker });
    const at = Date.now();
    const closing = resources.close({ timeoutMs: 1000 });
    await pass(1000);
    expect(await closing).toEqual({ closed: 2, failed: 1 });
    expect(Date.now() - at).toBe(1000);
    expect(closed).toEqual([3, 1]);
    await pass(20_000);
  });

  test('waits for calls that run, stops what still opens, and refuses what comes later', async () => {
    const { resources, call, log } = setUp({
      open: async ({ worker, signal }) => {
        if (worker === 'slow') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        log.push(`open ${worker}`);
        return { id: 1, worker, closed: false };
      },
    });
    const running = call({ workerId: 'w' }, 200);
    const opening = call({ workerId: 'slow' });
    await pass();
    const closing = resources.close({ timeoutMs: 1000 });
    expect(await opening).toMatchObject({ error: { kind: 'not_ready', details: { stage: 'session' } } });
    expect(await call({ workerId: 'new' })).toMatchObject({ error: { kind: 'not_ready', details: { stage: 'session' } } });
    expect(await failureOf(resources.create({ type: 'kernel' }))).toMatchObject({ kind: 'not_ready' });
    await pass(199);
    expect(log).toEqual(['open w']);
    await pass(1);
    expect(await running).toMatchObject({ status: 'ok', data: { closed: false } });
    await closing;
    expect(log).toEqual(['open w', 'close 1']);
  });
});

describe('a tool', () => {
  test('without a toolbox that has resources is answered not_configured', async () => {
    const { kernel } = setUp();
    const use = defineTool({ name: 'use', description: 'x', effects: 'none', run: (_, ctx) => ctx.resource('kernel') });
    const needs = defineTool({ name: 'needs', description: 'x', resource: kernel, run: () => 1 });
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const expected = { status: 'error', error: { kind: 'not_configured', recovery: 'stop' } };
    expect(await use.call({})).toMatchObject(expected);
    expect(await needs.call({})).toMatchObject({ ...expected, error: { effect: 'none' } });
    expect(await createToolbox([use], silent).call('use', {})).toMatchObject(expected);
    vi.restoreAllMocks();
  });

  test.each([
    ['no resources at all', undefined],
    ['resources without its own', createResources([])],
  ])('that needs a resource cannot be put into a toolbox with %s', (_, resources) => {
    const needs = defineTool({ name: 'needs', description: 'x', resource: ['kernel', 'rag'], run: () => 1 });
    expect(() => createToolbox([needs], resources === undefined ? {} : { resources })).toThrow('tool "needs" needs the resource "kernel"');
  });

  test('may need several, which open side by side, and asks for others while it runs', async () => {
    const slow = (type: string) => defineResource({ type, open: () => takes(100).then(() => type) });
    const resources = createResources([slow('a'), slow('b'), slow('c')]);
    const both = defineTool({
      name: 'both',
      description: 'x',
      resource: ['a', 'b'],
      run: async (_, { resource }) => [await resource('a'), await resource('b'), await resource('c'), await resource('c')] as string[],
    });
    const toolbox = createToolbox([both], { ...silent, resources });
    const at = Date.now();
    const outcome = toolbox.call('both', {}).then((given) => ({ given, tookMs: Date.now() - at }));
    await pass(1000);
    expect(await outcome).toMatchObject({ tookMs: 200, given: { data: ['a', 'b', 'c', 'c'], meta: { resourceType: 'a' } } });
  });

  test('cannot get at a resource once its call has ended, and a forgotten promise does no harm', async () => {
    const { resources } = setUp();
    let late: ((type: string) => Promise<unknown>) | undefined;
    const forgetful = defineTool({
      name: 'forgetful',
      description: 'x',
      run(_, ctx) {
        late = ctx.resource;
        void ctx.resource('kernel');
        void ctx.resource('missing').catch(() => undefined);
        return 1;
      },
    });
    expect(await createToolbox([forgetful], { ...silent, resources }).call('forgetful', {})).toMatchObject({ status: 'ok' });
    await pass();
    expect(await failureOf(late?.('kernel') ?? Promise.resolve())).toMatchObject({ kind: 'cancelled' });
    expect(resources.list()).toEqual([]);
  });

  test('that is tried again opens again what did not open, and nothing was changed before it ran', async () => {
    let tries = 0;
    const flaky = defineResource({
      type: 'flaky',
      open: () => {
        tries += 1;
        if (tries < 3) throw new Error('not yet');
        return tries;
      },
    });
    const again: Guard = defineGuard({
      name: 'again',
      phase: 'retry',
      around: async (_, next) => {
        let outcome = await next();
        while (outcome.status === 'error' && outcome.error.retryable) outcome = await next();
        return outcome;
      },
    });
    const use = defineTool({ name: 'use', description: 'x', resource: flaky, run: (_, ctx) => ctx.resource(flaky) });
    const toolbox = createToolbox([use], { ...silent, use: [again], resources: createResources([flaky]) });
    expect(await toolbox.call('use', {})).toMatchObject({ status: 'ok', data: 3, meta: { attempts: 3 } });
  });
});

test.each<[string, object, string]>([
  ['no type', { open: () => 1 }, 'type must be a name'],
  ['a type that no tool could name', { type: 'a b', open: () => 1 }, 'type must be a name'],
  ['nothing to open', { type: 'a' }, 'open must be a function'],
  ['a close that is none', { type: 'a', open: () => 1, close: true }, 'close must be a function'],
  ['no time to live', { type: 'a', open: () => 1, ttlMs: 0 }, 'ttlMs must be a number above 0'],
  ['a config that is no schema', { type: 'a', open: () => 1, config: {} }, 'config must be a Standard Schema'],
  ['a scope that does not exist', { type: 'a', open: () => 1, shared: 'galaxy' }, "shared must be true, false or 'process'"],
  ['a shared one that is temporary', { type: 'a', open: () => 1, shared: true, temporary: true }, 'never temporary'],
  ['a setting that does not exist', { type: 'a', open: () => 1, ttl: 5 }, 'the option "ttl" does not exist. Did you mean "ttlMs"?'],
])('a definition with %s throws at once', (_, definition, message) => {
  expect(() => defineResource(definition as never)).toThrow(message);
});

test.each<[string, () => unknown, string]>([
  [
    'two of one type',
    () => createResources([1, 2].map(() => defineResource({ type: 'a', open: () => 1 }))),
    'two resources are of the type "a"',
  ],
  ['something else', () => createResources([{} as never]), 'made by `defineResource`'],
  ['defaults for nothing', () => createResources([], { config: { a: {} } }), 'there is no resource "a"'],
  ['no room', () => createResources([], { maxSessions: 0 }), 'maxSessions must be a number above 0'],
])('resources with %s throw at once', (_, create, message) => {
  expect(create).toThrow(message);
});

test('what states no tenant belongs to the nil tenant, as calls do', async () => {
  const { resources, call } = setUp();
  await resources.create({ type: 'kernel', worker: 'w' });
  expect(await call({ workerId: 'w', tenantId: noTenant })).toMatchObject({ data: { kernel: 1 } });
});
