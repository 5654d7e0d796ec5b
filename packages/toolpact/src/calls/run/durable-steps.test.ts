import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type MortalStore, mortalStore } from '../../../../../proofs/fixtures/mortal-store.ts';
import { type OrderRun, orderTool } from '../../../../../proofs/fixtures/order-tool.ts';
import { skipTime, takes } from '../../../../../proofs/fixtures/skip-time.ts';
import { type CallContext, noTenant } from '../../contract/index.ts';
import { createToolbox, fail, type Outcome, type Progress } from '../../index.ts';
import type { Ledger, Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite.ts';

skipTime();

const file = join(tmpdir(), `toolpact-durable-${process.pid}.db`);
const stores: Readonly<Record<string, () => Store>> = { memory: () => memoryStore(), SQLite: () => sqliteStore(file) };
afterAll(() => {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
});

const hang = () => new Promise<never>(() => undefined);

function processOn(store: Store, run: OrderRun, definition: object = {}) {
  const own = mortalStore(store);
  const order = orderTool(run, { timeoutMs: 3_600_000, retry: {}, ...definition });
  const options = { store: own, calls: { leaseMs: 3000 }, report: () => undefined };
  return { store: own as MortalStore, toolbox: createToolbox([order], options) };
}

/** Begins a call in a process that dies once `reached` is called. Gives the steps that were done. */
async function dieIn(
  store: Store,
  run: (reached: () => Promise<never>) => OrderRun,
  context: CallContext,
  definition: object = {},
  args: object = {},
) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const dying = processOn(
    store,
    run(async () => {
      dying.store.stop();
      resolve();
      return hang();
    }),
    definition,
  );
  void dying.toolbox.call('order', { id: 'o1', ...args } as never, context);
  await promise;
  return dying;
}

/** Waits until the dead are taken for dead. */
async function resumeLater(toolbox: ReturnType<typeof processOn>['toolbox'], runId: string, context: CallContext = {}) {
  for (let tries = 0; ; tries += 1) {
    const resumed = await toolbox.calls.resume(runId, context);
    if (resumed[0]?.how !== 'running' || tries > 100) return resumed;
    await takes(1000);
  }
}

let runs = 0;
const nextRun = (): string => {
  runs += 1;
  return `run-${runs}`;
};

describe.each(Object.keys(stores))('steps remembered in %s', (name) => {
  const open = stores[name] as () => Store;

  test('give back what they gave when their call is resumed', async () => {
    const store = open();
    const runId = nextRun();
    const done: string[] = [];
    const run =
      (reached: () => Promise<never>): OrderRun =>
      async ({ step }) => {
        const price = await step('price', () => done.push('price'), { effects: 'none' });
        const paid = await step('charge', (key) => {
          done.push('charge');
          return { key, at: new Date(0) };
        });
        await step('pack', () => (done.push('pack') < 4 ? reached() : null), { effects: 'idempotent' });
        return { price, paid };
      };
    await dieIn(store, run, { runId, invocationId: `${runId}-a` });
    const { toolbox } = processOn(store, run(hang));
    const [resumed] = await resumeLater(toolbox, runId);
    expect(done).toEqual(['price', 'charge', 'pack', 'pack']);
    expect(resumed).toMatchObject({
      how: 'repeated',
      outcome: { status: 'ok', data: { price: 1, paid: { key: `order/${runId}-a/charge`, at: '1970-01-01T00:00:00.000Z' } } },
    });
    expect(await store.calls?.get(noTenant, `${runId}-a`)).toMatchObject({ stage: 'ended', outcome: { status: 'ok' } });
  });

  test.each(['its caller', 'cancel'])('are kept for the next call with the key of a call that %s stopped', async (by) => {
    const id = `stopped-${by.replaceAll(' ', '-')}-${nextRun()}`;
    const done: string[] = [];
    const stop = new AbortController();
    const { promise: charged, resolve } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
    const { toolbox } = processOn(open(), async ({ step, signal }) => {
      await step('charge', () => done.push('charge'));
      resolve();
      await goOn;
      signal.throwIfAborted();
      return step('ship', () => done.push('ship'));
    });
    const call = toolbox.call('order', { id }, { idempotencyKey: id, invocationId: id, signal: stop.signal });
    await charged;
    if (by === 'cancel') await toolbox.calls.cancel(id);
    else stop.abort();
    letGo();
    expect(await call).toMatchObject({ error: { kind: 'cancelled', effect: 'applied' } });
    await takes(10);
    expect(await toolbox.call('order', { id }, { idempotencyKey: id })).toMatchObject({ status: 'ok', data: 2 });
    expect(done).toEqual(['charge', 'ship']);
  });

  test('are forgotten with their arguments where nothing is left to remember; that their call has ended is not', async () => {
    const store = open();
    const { toolbox } = processOn(store, ({ step }) => step('a', () => 1));
    await toolbox.call('order', { id: 'o1' }, { invocationId: `whole-${name}` });
    await toolbox.call('order', { id: 'o1' }, { invocationId: `keyed-${name}`, idempotencyKey: `k-${name}` });
    for (const id of [`whole-${name}`, `keyed-${name}`]) {
      const at = { tenant: noTenant, id };
      expect([await store.calls?.steps(at), await store.calls?.args(at)]).toEqual([[], undefined]);
      expect(await store.calls?.get(noTenant, id)).toMatchObject({ stage: 'ended', outcome: { status: 'ok', data: 1 } });
    }
  });

  test('give back their failures too, so that the tool takes the same way', async () => {
    const store = open();
    const runId = nextRun();
    const done: string[] = [];
    const run =
      (reached: () => Promise<never>): OrderRun =>
      async ({ step }) => {
        const bank = await step('first bank', () => {
          done.push('first');
          if (done.length === 1) throw fail('unreachable', 'Down.', { effect: 'none' });
          return 'first';
        }).catch(({ kind }: { kind: string }) => step('second bank', () => `second after ${kind} ${done.push('second')}`));
        await step('ship', () => (done.push('ship') < 4 ? reached() : null), { effects: 'idempotent' });
        return bank;
      };
    await dieIn(store, run, { runId });
    const [resumed] = await resumeLater(processOn(store, run(hang)).toolbox, runId);
    expect(resumed?.outcome).toMatchObject({ status: 'ok', data: 'second after unreachable 2' });
    expect(done).toEqual(['first', 'second', 'ship', 'ship']);
  });

  test.each<[string, object | undefined, object, string[]]>([
    [
      'is reported as interrupted',
      undefined,
      { status: 'error', error: { kind: 'interrupted', effect: 'unknown', recovery: 'verify' } },
      [],
    ],
    ['gives what its reconcile finds', { effect: 'applied', data: 'found' }, { status: 'ok', data: 'found' }, []],
    ['runs where its reconcile says that it did not', { effect: 'none' }, { status: 'ok', data: 'paid' }, ['charge']],
    ['is interrupted where its reconcile does not know', { effect: 'unknown' }, { error: { kind: 'interrupted' } }, []],
  ])('a step under way that writes %s', async (_, found, outcome, again) => {
    const store = open();
    const runId = nextRun();
    const done: string[] = [];
    const options = found === undefined ? {} : { reconcile: () => found as never };
    await dieIn(
      store,
      (reached) =>
        ({ step }) =>
          step('charge', reached),
      { runId },
    );
    const { toolbox } = processOn(store, ({ step }) =>
      step(
        'charge',
        () => {
          done.push('charge');
          return 'paid';
        },
        options as never,
      ),
    );
    const [resumed] = await resumeLater(toolbox, runId);
    expect(resumed?.outcome).toMatchObject(outcome);
    expect(done).toEqual(again);
  });

  test.each<[string, object, object]>([
    ['ends the call with what it finds', { effect: 'applied', data: 'found' }, { how: 'reconciled', outcome: { data: 'found' } }],
    ['lets the step run that it knows not to have run', { effect: 'none' }, { how: 'repeated', outcome: { data: 'paid' } }],
    ['leaves it open where it does not know', { effect: 'unknown' }, { how: 'interrupted', outcome: { error: { effect: 'unknown' } } }],
  ])('the reconcile of the tool %s', async (_, found, resumed) => {
    const store = open();
    const runId = nextRun();
    await dieIn(
      store,
      (reached) =>
        ({ step }) =>
          step('charge', reached),
      { runId },
    );
    const { toolbox } = processOn(store, ({ step }) => step('charge', () => 'paid'), { reconcile: () => found });
    expect(await resumeLater(toolbox, runId)).toMatchObject([resumed]);
  });

  test.each<[string, object, object, number]>([
    ['gives what it finds', { effect: 'applied', data: 'found' }, { status: 'ok', data: 'found' }, 1],
    ['lets the step run that it knows not to have taken effect', { effect: 'none' }, { status: 'ok', data: 'paid' }, 2],
    ['leaves it open where it does not know', { effect: 'unknown' }, { error: { kind: 'interrupted', effect: 'unknown' } }, 1],
  ])('the reconcile of the tool is asked about a step that failed without saying what it did, and %s', async (_, found, again, charged) => {
    let charges = 0;
    const run: OrderRun = ({ step }) =>
      step('charge', () => {
        charges += 1;
        if (charges === 1) throw new Error('the line went dead');
        return 'paid';
      });
    const { toolbox } = processOn(open(), run, { reconcile: () => found });
    const call = () => toolbox.call('order', { id: 'o1' }, { idempotencyKey });
    const idempotencyKey = nextRun();
    expect(await call()).toMatchObject({ error: { effect: 'unknown' } });
    expect([await call(), charges]).toMatchObject([again, charged]);
  });

  test('serve a repeated call with the same key, which takes the dead one over', async () => {
    const store = open();
    const done: string[] = [];
    const key = nextRun();
    const run =
      (reached: () => Promise<never>): OrderRun =>
      async ({ step }) => {
        await step('charge', () => done.push('charge'));
        return step('ship', () => (done.push('ship') < 3 ? reached() : 'shipped'), { effects: 'idempotent' });
      };
    await dieIn(store, run, { idempotencyKey: key });
    const told: unknown[] = [];
    const context = { idempotencyKey: key, onProgress: ({ message }: Progress) => told.push(message) };
    const { toolbox } = processOn(store, run(hang));
    const outcome = await toolbox.call('order', { id: 'o1' }, context);
    expect(outcome).toMatchObject({ status: 'ok', data: 'shipped' });
    const { calls } = await toolbox.calls.list({ key });
    expect(calls.map(({ status, lost }) => [status, lost])).toEqual([['ok', undefined]]);
    expect(done).toEqual(['charge', 'ship', 'ship']);
    expect(told).toEqual(['The same call is already running. Waiting for it; if its process is gone, it is taken over within about 3 s.']);
  });

  test.each([
    ['a step that may be repeated', true],
    ['a tool that may be repeated', false],
  ])('%s fails without effect after its process died: nobody knows what that one did', async (_, steps) => {
    const store = open();
    const idempotencyKey = nextRun();
    const refuse = (): never => {
      throw fail('upstream', 'Refused.', { effect: 'none' });
    };
    const run =
      (put: () => unknown): OrderRun =>
      ({ step }) =>
        steps ? step('put', put, { effects: 'idempotent' }) : put();
    const definition = { ...(!steps && { steps: undefined, effects: 'idempotent' }), retry: false };
    await dieIn(store, run, { idempotencyKey }, definition);
    const { toolbox } = processOn(store, run(refuse), definition);
    const outcome = await toolbox.call('order', { id: 'o1' }, { idempotencyKey });
    expect(outcome).toMatchObject({ error: { kind: 'upstream', effect: 'unknown' } });
    // A call that nobody began before says what it knows.
    const other = await toolbox.call('order', { id: 'o1' }, { idempotencyKey: nextRun() });
    expect(other).toMatchObject({ error: { kind: 'upstream', effect: 'none' } });
  });

  test('make a failure retryable for those who have the key, and keep what was done', async () => {
    const store = open();
    const done: string[] = [];
    const idempotencyKey = nextRun();
    const { toolbox } = processOn(
      store,
      async ({ step }) => {
        const paid = await step('charge', () => done.push('charge'));
        await step('ship', () => {
          if (done.push('ship') === 2) throw fail('unreachable', 'Down.', { effect: 'none' });
        });
        return paid;
      },
      { retry: false },
    );
    const first = await toolbox.call('order', { id: 'o1' }, { idempotencyKey });
    expect(first).toMatchObject({ error: { kind: 'unreachable', effect: 'applied', retryable: true, recovery: 'wait' } });
    expect(await toolbox.call('order', { id: 'other' }, { idempotencyKey })).toMatchObject({
      error: { kind: 'conflict', code: 'key_reused' },
    });
    expect(await toolbox.call('order', { id: 'o1' }, { idempotencyKey })).toMatchObject({ status: 'ok', data: 1 });
    expect(done).toEqual(['charge', 'ship', 'ship']);
    expect(await toolbox.call('order', { id: 'o1' }, {})).toMatchObject({ status: 'ok' });
  });

  test.each<[string, Error, object]>([
    [
      'that will not pass',
      new Error('The receipt could not be written'),
      { effect: 'applied', retryable: false, recovery: 'verify', advice: 'It has taken effect; check before repeating it.' },
    ],
    [
      'whose author says what to do',
      fail('invalid_output', 'The receipt is wrong.', { advice: 'Look at the account.' }),
      { effect: 'applied', recovery: 'verify', advice: 'It has taken effect; check before repeating it. Look at the account.' },
    ],
    [
      'that may pass',
      fail('unreachable', 'Down.'),
      {
        effect: 'applied',
        retryable: true,
        recovery: 'wait',
        advice: 'Part of it has taken effect, and is not done twice if the same call is made again. Try again in a moment.',
      },
    ],
  ])('tell of a failure %s that it has taken effect', async (_, thrown, expected) => {
    const { toolbox } = processOn(
      open(),
      async ({ step }) => {
        await step('charge', () => 1);
        throw thrown;
      },
      { retry: false },
    );
    expect(await toolbox.call('order', { id: 'o1' }, { idempotencyKey: nextRun() })).toMatchObject({ error: expected });
  });

  test('a step that an earlier run recorded and the new code leaves out is a conflict', async () => {
    const store = open();
    const runId = nextRun();
    await dieIn(
      store,
      (reached) =>
        ({ step }) =>
          step('charge', () => 1).then(() => step('ship', reached, { effects: 'none' })),
      { runId },
    );
    const { toolbox } = processOn(store, ({ step }) => step('ship', () => 'shipped', { effects: 'none' }));
    const [resumed] = await resumeLater(toolbox, runId);
    expect(resumed?.outcome).toMatchObject({
      error: { kind: 'conflict', effect: 'applied', message: expect.stringContaining('"charge"') },
    });
  });

  const charge: (reached: () => Promise<never>) => OrderRun =
    (reached) =>
    async ({ step }) => {
      await step('charge', () => 1);
      return reached();
    };
  test.each<[string, (done: string[]) => OrderRun, typeof charge, object]>([
    [
      'that was renamed',
      (done) =>
        ({ step }) =>
          step('charge card', () => done.push('charge card')),
      charge,
      { kind: 'conflict', effect: 'applied', recovery: 'verify', message: expect.stringContaining('"charge"') },
    ],
    [
      'that was renamed while it was under way',
      (done) =>
        ({ step }) =>
          step('charge card', () => done.push('charge card')),
      (reached) =>
        ({ step }) =>
          step('charge', reached),
      { kind: 'conflict', effect: 'unknown', message: expect.stringContaining('"charge"') },
    ],
    [
      'that a new one was put before',
      (done) =>
        async ({ step }) => {
          await step('fee', () => done.push('fee'), { effects: 'idempotent' });
          return step('charge', () => done.push('charge'));
        },
      charge,
      { kind: 'conflict', effect: 'applied', message: expect.stringContaining('"charge"') },
    ],
  ])('a step %s is a conflict before anything is done twice', async (_, changed, before, error) => {
    const store = open();
    const runId = nextRun();
    const done: string[] = [];
    await dieIn(store, before, { runId });
    const [resumed] = await resumeLater(processOn(store, changed(done)).toolbox, runId);
    expect(resumed?.outcome).toMatchObject({ status: 'error', error });
    expect(done).toEqual([]);
  });

  test('steps side by side may be asked for in another order than the one in which they were recorded', async () => {
    const store = open();
    const runId = nextRun();
    const done: string[] = [];
    const run =
      (pauses: readonly number[], pay: () => unknown): OrderRun =>
      ({ step }) =>
        Promise.all(
          pauses.map(async (ms, index) => {
            await takes(ms);
            await step(`buy:${index}`, () => (index === 1 ? done.push('buy:1') : pay()));
          }),
        );
    await dieIn(store, (reached) => run([500, 1], reached), { runId, timeoutMs: 60_000 }, { reconcile: () => ({ effect: 'none' }) });
    const again = run([1, 500], () => done.push('buy:0'));
    const { toolbox } = processOn(store, again, { reconcile: () => ({ effect: 'none' }) });
    const [resumed] = await resumeLater(toolbox, runId);
    expect(resumed?.outcome).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['buy:1', 'buy:0']);
  });

  test.each<[string, object, object[]]>([
    ['may take another way after a step that did nothing', { effect: 'none' }, [{ effect: 'none', retryable: true }, { data: 'backup' }]],
    // The key is not free: what may have been paid is not paid a second time.
    ['takes no other way after a step that may have taken effect', {}, [{ effect: 'unknown' }, { effect: 'unknown' }]],
  ])('a repeated call %s', async (_, facts, expected) => {
    const store = open();
    const idempotencyKey = nextRun();
    const done: string[] = [];
    const { toolbox } = processOn(
      store,
      async ({ step }) => {
        if (done.length > 0) return step('backup', () => (done.push('backup') ? 'backup' : ''));
        return step('primary', () => {
          done.push('primary');
          throw fail('unreachable', 'Down.', facts);
        });
      },
      { retry: false },
    );
    const call = () => toolbox.call('order', { id: 'o1' }, { idempotencyKey });
    const outcomes = [await call(), await call()];
    expect(outcomes.map((outcome) => (outcome.status === 'error' ? outcome.error : outcome))).toMatchObject(expected);
    expect(done).toEqual(outcomes[1]?.status === 'ok' ? ['primary', 'backup'] : ['primary']);
  });

  test('are not begun by what an attempt left behind, while the next one runs', async () => {
    const store = open();
    const done: string[] = [];
    const left: Promise<unknown>[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const { toolbox } = processOn(
      store,
      async ({ step, attempt }) => {
        if (attempt === 1) {
          left.push(promise.then(() => step('charge', () => done.push('late'))));
          return step('reserve', () => {
            throw fail('unreachable', 'Down.', { effect: 'none' });
          });
        }
        resolve();
        await Promise.allSettled(left);
        return step('charge', (key) => key.split('/').at(-1));
      },
      { retry: { attempts: 2 } },
    );
    expect(await toolbox.call('order', { id: 'o1' }, { runId: nextRun() })).toMatchObject({ data: 'charge', meta: { attempts: 2 } });
    expect(done).toEqual([]);
  });

  test('are found by name and occurrence, whatever their order; steps run side by side', async () => {
    const store = open();
    const runId = nextRun();
    const done: string[] = [];
    const run =
      (reached: () => Promise<never>): OrderRun =>
      async ({ step }) => {
        const many = await Promise.all(['a', 'b', 'c'].map((part) => step(`ship:${part}`, async () => `${part}${done.push(part)}`)));
        const twice = [await step('mail', () => done.push('mail')), await step('mail', () => done.push('mail'))];
        await step('end', () => (done.push('end') < 7 ? reached() : null), { effects: 'none' });
        return [many.sort(), twice];
      };
    await dieIn(store, run, { runId });
    const turned: OrderRun = async ({ step }) => {
      const many = await Promise.all(['c', 'b', 'a'].map((part) => step(`ship:${part}`, () => 'never')));
      await step('end', () => null, { effects: 'none' });
      return [many.sort(), [await step('mail', () => 'never'), await step('mail', () => 'never')]];
    };
    const [resumed] = await resumeLater(processOn(store, turned).toolbox, runId);
    expect(resumed?.outcome).toMatchObject({
      status: 'ok',
      data: [
        ['a1', 'b2', 'c3'],
        [4, 5],
      ],
    });
  });

  test('a process that was stopped for longer than its lease begins no other step', async () => {
    const store = open();
    const runId = nextRun();
    const done: string[] = [];
    const run =
      (who: string, reached: () => unknown): OrderRun =>
      async ({ step }) => {
        await step('charge', () => done.push(`${who} charge`));
        await step('wrap', async () => reached(), { effects: 'none' });
        return step('ship', () => done.push(`${who} ship`));
      };
    const { promise: stopped, resolve: go } = Promise.withResolvers<void>();
    const { promise: reached, resolve: atWrap } = Promise.withResolvers<void>();
    const first = processOn(
      store,
      run('first', () => {
        atWrap();
        return stopped;
      }),
    );
    const answer = first.toolbox.call('order', { id: 'o1' }, { runId });
    await reached;
    first.store.stop();
    const [resumed] = await resumeLater(
      processOn(
        store,
        run('second', () => undefined),
      ).toolbox,
      runId,
    );
    expect(resumed?.outcome).toMatchObject({ status: 'ok' });
    go();
    first.store.wake();
    // Another process has ended its call: that end is the answer.
    expect(await answer).toMatchObject({ status: 'ok', data: 2, meta: { replayed: true } });
    expect(done).toEqual(['first charge', 'second ship']);
    expect(await first.toolbox.calls.get(resumed?.invocationId ?? '')).toMatchObject({ status: 'ok' });
  });

  test('bring the arguments whole, and nothing of what the application gave', async () => {
    const opened = open();
    const written: unknown[] = [];
    const writing =
      (write: (...given: never[]) => unknown) =>
      (...given: never[]): unknown => {
        written.push(given);
        return write(...given);
      };
    const calls = Object.fromEntries(Object.entries(opened.calls as Ledger).map(([operation, run]) => [operation, writing(run)]));
    const store: Store = { ...opened, put: writing(opened.put as never) as never, calls: calls as unknown as Ledger };
    const runId = nextRun();
    const secret = 'sk-live-abcdefghijklmnopqrstuvwx';
    const context = { runId, auth: { token: 'of-the-caller' }, app: { db: 'of-the-app' } };
    await dieIn(
      store,
      (reached) =>
        ({ step }) =>
          step('find', reached, { effects: 'none' }),
      context as never,
      {},
      { card: secret },
    );
    const seen: unknown[] = [];
    const { toolbox } = processOn(store, ({ step, auth, app }, input) => {
      seen.push(input, auth, app);
      return step('find', () => 'found', { effects: 'none' });
    });
    const [resumed] = await resumeLater(toolbox, runId, { app: { db: 'of the new process' } });
    expect(resumed?.outcome.status).toBe('ok');
    expect(seen).toEqual([{ id: 'o1', card: secret }, undefined, { db: 'of the new process' }]);
    const shown = JSON.stringify([await toolbox.calls.list({ runId }), await toolbox.calls.get(resumed?.invocationId ?? '')]);
    expect(shown).not.toContain(secret);
    expect(JSON.stringify(written)).toContain('found');
    expect(JSON.stringify(written)).not.toMatch(/of-the-caller|of-the-app/);
  });

  test('a new attempt forgets failures and keeps results, over crashes too', async () => {
    const store = open();
    const runId = nextRun();
    const done: string[] = [];
    const run =
      (reached: () => Promise<never>): OrderRun =>
      async ({ step }) => {
        await step('charge', () => done.push('charge'));
        await step('ship', () => {
          done.push('ship');
          if (done.filter((what) => what === 'ship').length === 1) throw fail('unreachable', 'x', { effect: 'none' });
        });
        await step('mail', () => (done.push('mail') < 5 ? reached() : null), { effects: 'idempotent' });
      };
    await dieIn(store, run, { runId }, { retry: { attempts: 3 } });
    const [resumed] = await resumeLater(processOn(store, run(hang), { retry: { attempts: 3 } }).toolbox, runId);
    expect(resumed?.outcome.status).toBe('ok');
    expect(done).toEqual(['charge', 'ship', 'ship', 'mail', 'mail']);
  });
});

test('steps are reported to listeners and kept in the journal, with those that were remembered', async () => {
  const store = memoryStore();
  const run =
    (reached: () => Promise<never>): OrderRun =>
    async ({ step }) => {
      await step('charge', () => 1);
      await step('mail', () => fail('unreachable', 'Down.', { effect: 'none' }));
      await step('ship', reached, { effects: 'none' });
    };
  await dieIn(store, run, { runId: 'seen' });
  const { toolbox } = processOn(
    store,
    run(async () => null as never),
  );
  const events: unknown[] = [];
  toolbox.subscribe((event) => event.type === 'step-end' && events.push([event.step, event.status, event.replayed]));
  await resumeLater(toolbox, 'seen');
  expect(events).toEqual([
    ['charge', 'ok', true],
    ['mail', 'error', true],
    ['ship', 'ok', false],
  ]);
  const { calls } = await toolbox.calls.list({ runId: 'seen' });
  const [recorded] = await Promise.all(calls.map(({ id }) => toolbox.calls.get(id)));
  expect(recorded?.trace?.steps).toMatchObject([
    { step: 'charge', status: 'ok', replayed: true },
    { step: 'mail', status: 'error', kind: 'unreachable', replayed: true },
    { step: 'ship', status: 'ok' },
  ]);
});

test('a call whose steps cannot be stored does not begin them', async () => {
  const own = memoryStore();
  const store: Store = { ...own, calls: { ...(own.calls as Ledger), stepBegin: () => Promise.reject(new Error('disk full')) } };
  const done: string[] = [];
  const { toolbox } = processOn(store, ({ step }) => step('charge', () => done.push('charge')), { timeoutMs: 5000 });
  const outcome: Outcome = await toolbox.call('order', { id: 'o1' });
  expect(outcome).toMatchObject({ status: 'error', error: { effect: 'none' } });
  expect(done).toEqual([]);
});

test.each<[string, OrderRun, string, 'none' | 'unknown']>([
  ['a step inside a step', ({ step }) => step('a', () => step('b', () => 1)), 'the step "b" begins inside another step', 'unknown'],
  [
    'a misspelt option',
    ({ step }) => step('a', () => 1, { efects: 'none' } as never),
    'the step "a": the option "efects" does not exist',
    'none',
  ],
  ['a wrong retry', ({ step }) => step('a', () => 1, { retry: { attempts: 0 } }), 'attempts must be a whole number from 1', 'none'],
  [
    'a question without a schema',
    ({ waitFor }) => waitFor('day', 5 as never),
    'ctx.waitFor takes a name and a Standard Schema of the answer',
    'none',
  ],
  [
    'a question without a name',
    ({ waitFor }) => waitFor('', 5 as never),
    'ctx.waitFor takes a name and a Standard Schema of the answer',
    'none',
  ],
])('%s is a mistake of the author: the model is not asked for other arguments', async (_, run, message, effect) => {
  const { toolbox } = processOn(memoryStore(), run);
  expect(await toolbox.call('order', { id: 'o1' })).toMatchObject({
    status: 'error',
    error: { kind: 'internal', message: expect.stringContaining(message), effect, recovery: effect === 'none' ? 'stop' : 'verify' },
  });
});
