import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createToolbox, defineTool, fail, type Outcome } from '../../index.ts';
import { toModelText } from '../../outcome/index.ts';
import { memoryStore } from '../../stores/memory.ts';

const report = () => undefined;
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');
const context = { runId: 'r-1' };

/** A tool that changes a price by what the shop says just now. */
function setUp(extra: { readonly key?: true } = {}) {
  const shop = { price: 10, isOpen: true };
  const ran: unknown[] = [];
  const previewed: unknown[] = [];
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    input: z.object({ pieces: z.number().max(9), password: z.string().optional() }),
    approval: ({ pieces }) => pieces > 1,
    ...(extra.key && { idempotency: { key: () => 'k' } }),
    preview: (input, ctx) => {
      previewed.push([input, 'step' in ctx, 'sleep' in ctx]);
      return shop.isOpen
        ? { total: input.pieces * shop.price, token: 'password=hunter2-hunter2' }
        : fail('not_found', 'There is no such shop.');
    },
    run: (input) => {
      ran.push(input);
      return { paid: input.pieces * shop.price };
    },
  });
  const box = createToolbox([order], { store: memoryStore(), report });
  const call = (pieces = 3) => box.call('order', { pieces }, context);
  return { shop, ran, previewed, box, call };
}

describe('a preview', () => {
  test('is shown to the person who is asked, without secrets, and only where somebody is asked', async () => {
    const { box, call, previewed } = setUp();
    expect(await call(1)).toMatchObject({ status: 'ok' });
    expect(previewed).toEqual([]);
    const handle = handleOf(await call());
    expect(await box.approvals.get(handle)).toMatchObject({ preview: { total: 30, token: '[redacted]' } });
    expect(previewed).toEqual([[{ pieces: 3 }, false, false]]);
  });

  test('that is still true lets the approved call run, once', async () => {
    const { box, call, ran } = setUp();
    await box.approvals.decide(handleOf(await call()), 'approve');
    expect(await call()).toMatchObject({ status: 'ok', data: { paid: 30 } });
    expect([(await call()).status, ran.length]).toEqual(['pending', 1]);
  });

  test.each([{}, { key: true } as const])(
    'that has changed keeps the call from running, and asks about the new plan: %j',
    async (extra) => {
      const { box, call, ran, shop } = setUp(extra);
      const first = handleOf(await call());
      await box.approvals.decide(first, 'approve', { by: 'ann' });
      shop.price = 99;
      const changed = await call();
      expect(changed).toMatchObject({
        error: { kind: 'conflict', code: 'plan_changed', effect: 'none', retryable: false, details: { handle: expect.any(String) } },
      });
      expect(toModelText(changed)).toContain('make the same call again once it is approved');
      expect([ran, (await box.calls.get(first))?.code]).toEqual([[], 'plan_changed']);
      const [asked] = await box.approvals.list();
      expect(asked).toMatchObject({ preview: { total: 297 }, handle: changed.status === 'error' && changed.error.details?.handle });
      // The first approval counts no more, even where the plan is again what it was.
      shop.price = 10;
      expect(handleOf(await call())).toBe(asked?.handle);
      shop.price = 99;
      await box.approvals.decide(asked?.handle ?? '', 'approve');
      expect(await call()).toMatchObject({ status: 'ok', data: { paid: 297 } });
    },
  );

  test('that has changed keeps an approved call from running when it is run again by its id, too', async () => {
    const shop = { price: 10 };
    const ran: unknown[] = [];
    const order = defineTool({
      name: 'order',
      description: 'Orders.',
      steps: true,
      input: z.object({ pieces: z.number() }),
      approval: true,
      preview: ({ pieces }) => ({ total: pieces * shop.price }),
      run: ({ pieces }, { step }) => step('pay', async () => ran.push(pieces * shop.price)),
    });
    const box = createToolbox([order], { store: memoryStore(), report });
    const first = handleOf(await box.call('order', { pieces: 3 }, context));
    await box.approvals.decide(first, 'approve');
    shop.price = 99;
    const changed = await box.calls.rerun(first);
    expect(changed).toMatchObject({ error: { kind: 'conflict', code: 'plan_changed', effect: 'none' } });
    expect([ran, (await box.calls.get(first))?.code]).toEqual([[], 'plan_changed']);
    const [asked] = await box.approvals.list();
    expect(asked).toMatchObject({ preview: { total: 297 } });
    await box.approvals.decide(asked?.handle ?? '', 'approve');
    expect(await box.calls.rerun(asked?.handle ?? '')).toMatchObject({ status: 'ok' });
    expect(ran).toEqual([297]);
  });

  test('that has changed keeps a rerun from going on with the steps of the call before it; its own rerun asks anew, and does', async () => {
    const shop = { price: 10, isClosed: true };
    const ran: unknown[] = [];
    const order = defineTool({
      name: 'order',
      description: 'Orders.',
      steps: true,
      input: z.object({ pieces: z.number() }),
      approval: true,
      preview: ({ pieces }) => ({ total: pieces * shop.price }),
      run: async ({ pieces }, { step }) => {
        await step('reserve', async () => ran.push('reserved'));
        return step('pay', async () => {
          if (shop.isClosed) throw fail('upstream', 'The shop is closed.', { effect: 'none' });
          return ran.push(pieces * shop.price);
        });
      },
    });
    const box = createToolbox([order], { store: memoryStore(), report });
    const first = handleOf(await box.call('order', { pieces: 3 }, context));
    await box.approvals.decide(first, 'approve');
    expect(await box.calls.rerun(first)).toMatchObject({ error: { kind: 'upstream', effect: 'applied' } });
    shop.isClosed = false;
    const again = handleOf(await box.calls.rerun(first));
    await box.approvals.decide(again, 'approve');
    shop.price = 99;
    const changed = await box.calls.rerun(again);
    expect(changed).toMatchObject({ error: { kind: 'conflict', code: 'plan_changed', effect: 'applied' } });
    expect([ran, await box.approvals.list()]).toEqual([['reserved'], []]);
    const anew = handleOf(await box.calls.rerun(again));
    expect(await box.approvals.get(anew)).toMatchObject({ preview: { total: 297 } });
    await box.approvals.decide(anew, 'approve');
    expect(await box.calls.rerun(anew)).toMatchObject({ status: 'ok' });
    expect(ran).toEqual(['reserved', 297]);
  });

  test('of changed arguments is worked out when they are approved, and again before they run', async () => {
    const { box, call, ran, shop } = setUp();
    const decided = await box.approvals.decide(handleOf(await call()), 'approve', { input: { pieces: 2 } });
    expect(decided).toMatchObject({ ok: true, approval: { preview: { total: 20 }, edited: { pieces: 2 } } });
    expect(await call()).toMatchObject({ status: 'ok', data: { paid: 20 }, input: { pieces: 2 } });
    await box.approvals.decide(handleOf(await call()), 'approve', { input: { pieces: 2 } });
    shop.price = 11;
    expect(await call()).toMatchObject({ error: { code: 'plan_changed' } });
    expect((await box.approvals.list())[0]).toMatchObject({ input: { pieces: 3 }, preview: { total: 33 } });
    expect(ran).toEqual([{ pieces: 2 }]);
  });

  test('that fails is the failure of the call, which did not run', async () => {
    const { box, call, ran, shop } = setUp();
    shop.isOpen = false;
    expect(await call()).toMatchObject({ error: { kind: 'not_found', effect: 'none', message: 'There is no such shop.' } });
    shop.isOpen = true;
    const handle = handleOf(await call());
    shop.isOpen = false;
    expect(await box.approvals.decide(handle, 'approve', { input: { pieces: 2 } })).toMatchObject({ ok: false, why: 'invalid' });
    await box.approvals.decide(handle, 'approve');
    expect(await call()).toMatchObject({ error: { kind: 'not_found' } });
    shop.isOpen = true;
    // The approval was not used.
    expect(await call()).toMatchObject({ status: 'ok' });
    expect(ran).toHaveLength(1);
  });

  test('belongs to a standing grant too: another plan is another question', async () => {
    const { box, call, shop } = setUp();
    await box.approvals.decide(handleOf(await call()), 'approve', { grant: { for: 'run' } });
    expect([(await call()).status, (await call()).status]).toEqual(['ok', 'ok']);
    shop.price = 11;
    expect((await call()).status).toBe('pending');
  });
});

describe('a preview that is declared for a tool of others', () => {
  const open = { files: ['a'] };
  const wipe = defineTool({ name: 'wipe', description: 'Deletes.', preview: () => 'its own', run: () => 'gone' });
  const declared = (store = memoryStore()) =>
    createToolbox([wipe], {
      store,
      report,
      declare: () => ({ approval: true, preview: (input, ctx) => ({ ...open, input, steps: 'step' in ctx }) }),
    });

  test('is shown in place of its own, and what has changed since is not run', async () => {
    const box = declared();
    const handle = handleOf(await box.call('wipe', {}));
    expect(await box.approvals.get(handle)).toMatchObject({ preview: { files: ['a'], input: {}, steps: false } });
    await box.approvals.decide(handle, 'approve');
    open.files.push('b');
    expect(await box.call('wipe', {})).toMatchObject({ error: { kind: 'conflict', code: 'plan_changed', effect: 'none' } });
    const [asked] = await box.approvals.list();
    expect(asked).toMatchObject({ preview: { files: ['a', 'b'] } });
    await box.approvals.decide(asked?.handle ?? '', 'approve');
    expect(await box.call('wipe', {})).toMatchObject({ status: 'ok', data: 'gone' });
  });

  test('is refused where it is no function', () => {
    const make = (preview: unknown) =>
      createToolbox([wipe], { store: memoryStore(), declare: () => ({ approval: true, preview: preview as never }) });
    expect(() => make({ total: 1 })).toThrow('what is declared for "wipe": preview must be a function');
  });
});
