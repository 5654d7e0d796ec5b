import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { noTenant } from '../src/core/contract/index.ts';
import type { Store } from '../src/core/ports/index.ts';
import { createToolbox, defineTool, fail, type Outcome } from '../src/index.ts';
import { approvals, createWorker, idempotency, journal } from '../src/parts/guards/index.ts';
import { mortalStore } from './mortal-store.ts';
import { type OrderRun, orderTool } from './order-tool.ts';

const hang = () => new Promise<never>(() => undefined);

/** A process with one tool. */
function processOn(store: Store, run: OrderRun, definition: object = {}) {
  const own = mortalStore(store);
  const order = orderTool(run, definition);
  const plain = defineTool({ name: 'plain', description: 'Has no steps.', run: () => fail('internal', 'No.') });
  const use = [journal({ store: own }), idempotency({ store: own }), approvals({ store: own })] as const;
  return { store: own, toolbox: createToolbox([order, plain], { use, report: () => undefined }) };
}

/** Makes the process of a call look dead at once: its sign of life goes. */
async function bury(store: Store, id: string): Promise<void> {
  const record = await store.get({ space: 'call', tenant: noTenant, key: id });
  await store.remove({ space: 'owner', tenant: noTenant, key: String(Object(record?.value).owner) });
}

const broken = (kind: 'upstream' | 'internal' = 'upstream'): never => {
  throw fail(kind, 'It does not work.', { effect: 'none' });
};
const errorOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error : expect.unreachable());
let ids = 0;
const nextId = (): string => {
  ids += 1;
  return `rerun-${ids}`;
};

/** Three steps of three kinds; the last fails as long as `state` says so. */
function orderOf(done: string[], state: { ship: boolean }): OrderRun {
  return async ({ step }) => {
    const price = await step('price', () => done.push('price'), { effects: 'none' });
    const paid = await step('charge', (key) => {
      done.push('charge');
      return key;
    });
    const sent = await step(
      'ship',
      () => {
        done.push('ship');
        if (state.ship) throw fail('upstream', 'The post is closed.', { effect: 'none' });
        return 'sent';
      },
      { effects: 'idempotent' },
    );
    return { price, paid, sent };
  };
}

/** Proves `toolbox.rerun` on one store. */
export function checkReruns(name: string, open: () => Store | Promise<Store>): void {
  describe(`a call that is run again, on ${name}`, () => {
    test.each<[string | undefined, string[]]>([
      ['ship', ['ship']],
      [undefined, ['ship']],
    ])('from %s keeps the steps before', async (from, again) => {
      const [id, done, state] = [nextId(), [] as string[], { ship: true }];
      const { toolbox } = processOn(await open(), orderOf(done, state));
      const first = await toolbox.call('order', { id: 'o1' }, { invocationId: id, runId: id });
      expect(errorOf(first)).toMatchObject({ kind: 'upstream' });
      state.ship = false;
      done.length = 0;
      const second = await toolbox.rerun(id, from === undefined ? {} : { from });
      expect(second).toMatchObject({ status: 'ok', data: { price: 1, paid: `order/${id}/charge`, sent: 'sent' } });
      expect(done).toEqual(again);
      const { invocationId = '' } = second.meta;
      expect(invocationId).not.toBe(id);
      expect(await toolbox.findCall(invocationId)).toMatchObject({
        rerunOf: id,
        ...(from && { rerunFrom: from }),
        runId: id,
        status: 'ok',
        trace: { steps: [{ step: 'price', replayed: true }, { step: 'charge', replayed: true }, { step: 'ship' }] },
      });
      expect(await toolbox.findCall(id)).toMatchObject({ status: 'error', kind: 'upstream' });
      expect((await toolbox.calls({ runId: id })).calls).toMatchObject([{ id: invocationId, rerunOf: id }, { id }]);
      expect((await toolbox.resume(id)).map(({ outcome }) => outcome.status)).toEqual(['error', 'ok']);
    });

    test('from an earlier step does again what may be repeated, and asks `reconcile` about what writes', async () => {
      const done: string[] = [];
      let found: object | undefined;
      let isBroken = true;
      const run: OrderRun = async ({ step }) => {
        const price = await step('price', () => done.push('price'), { effects: 'none' });
        const paid = await step('charge', () => done.push('charge'), { reconcile: () => found as never });
        await step('ship', () => (isBroken ? broken() : done.push('ship')), {
          effects: 'idempotent',
        });
        return `${price} ${paid}`;
      };
      const failed = async (toolbox: ReturnType<typeof processOn>['toolbox']): Promise<string> => {
        const id = nextId();
        isBroken = true;
        done.length = 0;
        await toolbox.call('order', { id: 'o1' }, { invocationId: id });
        isBroken = false;
        done.length = 0;
        return id;
      };
      const { toolbox } = processOn(await open(), run);
      const run1 = await failed(toolbox);
      const refused = await toolbox.rerun(run1, { from: 'price' });
      expect(errorOf(refused)).toMatchObject({ kind: 'interrupted', effect: 'applied', retryable: false, details: { step: 'charge' } });
      expect(done).toEqual(['price']);
      // What was refused is forgotten: a later step can still be chosen.
      expect(await toolbox.rerun(run1, { from: 'ship' })).toMatchObject({ status: 'ok' });
      expect(done).toEqual(['price', 'ship']);

      found = { effect: 'applied', data: 77 };
      expect(await toolbox.rerun(await failed(toolbox), { from: 'charge' })).toMatchObject({ status: 'ok', data: '1 77' });
      expect(done).toEqual(['ship']);

      found = { effect: 'none' };
      expect(await toolbox.rerun(await failed(toolbox), { from: 'charge' })).toMatchObject({ status: 'ok' });
      expect(done).toEqual(['charge', 'ship']);
    });

    test('a step that writes and was under way when its process died is not run a second time', async () => {
      const store = await open();
      const [id, done] = [nextId(), [] as string[]];
      const reached = Promise.withResolvers<void>();
      const run =
        (charge: () => unknown): OrderRun =>
        async ({ step }) => {
          await step('price', () => done.push('price'), { effects: 'none' });
          await step('charge', charge);
          return step('ship', () => done.push('ship'), { effects: 'idempotent' });
        };
      const dying = processOn(
        store,
        run(() => {
          done.push('charge');
          dying.store.stop();
          reached.resolve();
          return hang();
        }),
      );
      void dying.toolbox.call('order', { id: 'o1' }, { invocationId: id });
      await reached.promise;
      const { toolbox } = processOn(
        store,
        run(() => done.push('charge')),
      );
      expect(errorOf(await toolbox.rerun(id))).toMatchObject({ kind: 'conflict', message: expect.stringContaining('still runs') });
      await bury(store, id);
      for (const from of [{ from: 'charge' }, {}, { from: 'price' }]) {
        expect(errorOf(await toolbox.rerun(id, from))).toMatchObject({ kind: 'interrupted', effect: 'unknown' });
      }
      expect(done).toEqual(['price', 'charge', 'price']);
      expect(await toolbox.findCall(id)).toMatchObject({ status: 'error', kind: 'interrupted' });
      const worker = createWorker(toolbox);
      expect(await worker.look()).toBe(0);
      await worker.stop();
    });

    test('goes on from there when the process of the rerun dies', async () => {
      const store = await open();
      const [id, done] = [nextId(), [] as string[]];
      const reached = Promise.withResolvers<void>();
      let round = 0;
      const run =
        (pack: () => unknown): OrderRun =>
        async ({ step }) => {
          await step('price', () => done.push('price'), { effects: 'none' });
          await step('count', () => done.push('count'), { effects: 'idempotent' });
          await step('pack', pack, { effects: 'idempotent' });
          return step('ship', () => done.push('ship'), { effects: 'idempotent' });
        };
      const dying = processOn(
        store,
        run(() => {
          round += 1;
          if (round === 1) broken();
          dying.store.stop();
          reached.resolve();
          return hang();
        }),
      );
      await dying.toolbox.call('order', { id: 'o1' }, { invocationId: id });
      done.length = 0;
      void dying.toolbox.rerun(id, { from: 'count' });
      await reached.promise;
      const { toolbox } = processOn(
        store,
        run(() => done.push('pack')),
      );
      const again = (await toolbox.calls({ tool: 'order' })).calls.find(({ rerunOf }) => rerunOf === id)?.id ?? '';
      await bury(store, again);
      const worker = createWorker(toolbox);
      await worker.look();
      await worker.stop();
      expect(await toolbox.findCall(again)).toMatchObject({ status: 'ok', rerunOf: id });
      expect(done).toEqual(['count', 'pack', 'ship']);
      expect(errorOf(await toolbox.rerun(id))).toMatchObject({ kind: 'conflict', message: expect.stringContaining('has succeeded') });
    });

    test('is refused where it has succeeded, runs, waits, is unknown or belongs to another tenant', async () => {
      const store = await open();
      const gate = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const { toolbox } = processOn(store, async ({ step, sleep }, { id }) => {
        if (id === 'sleeps') await sleep(86_400_000);
        if (id === 'hangs') {
          begun.resolve();
          await gate.promise;
        }
        return id === 'fails' ? fail('upstream', 'Closed.', { effect: 'none' }) : step('one', () => 1);
      });
      const made = async (id: string, context: object = {}): Promise<string> => {
        const invocationId = nextId();
        const call = toolbox.call('order', { id }, { invocationId, ...context });
        if (id === 'hangs') await begun.promise;
        else await call;
        return invocationId;
      };
      const kinds = async (id: string, from?: string) => {
        const { kind, message, effect } = errorOf(await toolbox.rerun(id, from === undefined ? {} : { from }));
        return [kind, message, effect];
      };
      const [fine, runs, sleeps] = [await made('fine'), await made('hangs'), await made('sleeps')];
      expect(await kinds(fine)).toEqual(['conflict', `The call ${fine} has succeeded; there is nothing to run again.`, 'none']);
      expect(await kinds(runs)).toEqual(['conflict', `The call ${runs} still runs.`, 'none']);
      expect(await kinds(sleeps)).toEqual(['conflict', `The call ${sleeps} has not ended: it sleeps or waits.`, 'none']);
      expect(await kinds('nope')).toEqual(['not_found', 'There is no recorded call nope.', 'none']);
      const theirs = await made('fails', { tenantId: 'acme' });
      expect(await kinds(theirs)).toEqual(['not_found', `There is no recorded call ${theirs}.`, 'none']);
      expect(errorOf(await toolbox.with({ tenantId: 'acme' }).rerun(theirs))).toMatchObject({ kind: 'upstream' });
      const plain = await toolbox.call('plain', {});
      expect(await kinds(plain.meta.invocationId ?? '')).toEqual(['unsupported', 'plain has no steps to run again from.', 'none']);
      gate.resolve();
    });

    test('is refused from a step that it does not have, with the names of those it has', async () => {
      const [id, done, state] = [nextId(), [] as string[], { ship: true }];
      const { toolbox } = processOn(await open(), orderOf(done, state), { idempotency: { key: ({ id: own }: { id: string }) => own } });
      await toolbox.call('order', { id: nextId() }, { invocationId: id });
      state.ship = false;
      done.length = 0;
      expect(errorOf(await toolbox.rerun(id, { from: 'shop' }))).toMatchObject({
        kind: 'invalid_input',
        effect: 'none',
        message: 'The call has no step "shop". Its steps are "price", "charge", "ship".',
        details: { steps: ['price', 'charge', 'ship'] },
      });
      expect(done).toEqual([]);
      // Nothing was lost by that.
      expect(await toolbox.rerun(id, { from: 'ship' })).toMatchObject({ status: 'ok' });
      expect(done).toEqual(['ship']);
      await expect(toolbox.rerun(id, { form: 'ship' } as never)).rejects.toMatchObject({ code: 'unknown_option' });
    });

    test('keeps its key: an outcome that was stored under it does not answer the rerun of a failure', async () => {
      const done: string[] = [];
      let isBroken = true;
      const { toolbox } = processOn(await open(), async ({ step }) => {
        await step('charge', () => done.push('charge'));
        return step('note', () => (isBroken ? broken('internal') : 'noted'), { effects: 'none' });
      });
      const [id, key] = [nextId(), nextId()];
      const first = await toolbox.call('order', { id: 'o1' }, { invocationId: id, idempotencyKey: key });
      expect(errorOf(first)).toMatchObject({ kind: 'internal', effect: 'applied' });
      isBroken = false;
      // A plain repetition replays what ended.
      expect(await toolbox.call('order', { id: 'o1' }, { idempotencyKey: key })).toMatchObject({
        status: 'error',
        meta: { replayed: true },
      });
      expect(await toolbox.rerun(id)).toMatchObject({ status: 'ok', data: 'noted' });
      expect(await toolbox.call('order', { id: 'o1' }, { idempotencyKey: key })).toMatchObject({ status: 'ok', meta: { replayed: true } });
      expect(done).toEqual(['charge']);
    });

    test('takes `auth`, `app` and the user from who runs it again', async () => {
      const seen: unknown[] = [];
      let isBroken = true;
      const { toolbox } = processOn(await open(), async (ctx) => {
        const { auth, app, userId, sessionId } = ctx as never as Record<string, unknown>;
        seen.push({ auth, app, userId, sessionId });
        await ctx.step('one', () => (isBroken ? broken() : 1));
        return 'ok';
      });
      const id = nextId();
      const context = { auth: { token: 'a' }, app: 1, userId: 'ann', sessionId: 's1' } as never;
      await toolbox.call('order', { id: 'o1' }, { ...(context as object), invocationId: id } as never);
      isBroken = false;
      await toolbox.with({ auth: { token: 'b' }, userId: 'bob' } as never).rerun(id, {}, { app: 2 } as never);
      expect(seen).toEqual([
        { auth: { token: 'a' }, app: 1, userId: 'ann', sessionId: 's1' },
        { auth: { token: 'b' }, app: 2, userId: 'bob', sessionId: 's1' },
      ]);
    });

    test('happens once, however many ask for it at once', async () => {
      const done: string[] = [];
      const state = { ship: true };
      const store = await open();
      const [one, other] = [processOn(store, orderOf(done, state)), processOn(store, orderOf(done, state))];
      const id = nextId();
      await one.toolbox.call('order', { id: 'o1' }, { invocationId: id });
      state.ship = false;
      done.length = 0;
      const outcomes = await Promise.all([one, other, one, other].map(({ toolbox }) => toolbox.rerun(id, { from: 'ship' })));
      expect(outcomes.map((outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status)).sort()).toEqual([
        'conflict',
        'conflict',
        'conflict',
        'ok',
      ]);
      expect(done).toEqual(['ship']);
    });

    test('sleeps again and asks again what comes after the step, and has a handle of its own', async () => {
      const done: string[] = [];
      let isBroken = true;
      const { toolbox } = processOn(await open(), async ({ step, waitFor }) => {
        await step('one', () => done.push('one'), { effects: 'none' });
        const { yes } = await waitFor('sure', z.object({ yes: z.boolean() }));
        await step('two', () => (isBroken ? broken() : done.push('two')));
        return yes;
      });
      const handleOf = (outcome: Outcome): string => (outcome.status === 'pending' ? outcome.pending.handle : expect.unreachable());
      const id = nextId();
      const first = handleOf(await toolbox.call('order', { id: 'o1' }, { invocationId: id }));
      expect(errorOf(await toolbox.settle(first, { yes: true }))).toMatchObject({ kind: 'upstream' });
      isBroken = false;
      const second = handleOf(await toolbox.rerun(id, { from: 'one' }));
      expect(second).not.toBe(first);
      expect(await toolbox.settle(second, { yes: false })).toMatchObject({ status: 'ok', data: false });
      expect(done).toEqual(['one', 'one', 'two']);
    });
  });
}
