import { type AnyTool, defineTool, pending } from 'toolpact';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkCrashes, reportOnCrashes } from './check-crashes.ts';

/** A bank that knows what it was asked to do, and does nothing twice for one key. */
function createBank() {
  const charges: { readonly order: string; readonly key: string | undefined }[] = [];
  let read = 0;
  return {
    charge: async (order: string, key?: string) => {
      if (key === undefined || !charges.some((charge) => charge.key === key)) charges.push({ order, key });
      return `charge of ${order}`;
    },
    find: async (order: string) => charges.some((charge) => charge.order === order),
    forget: () => void charges.splice(0),
    recorded: () => {
      const news = charges.slice(read).map(({ order }) => `charge ${order}`);
      read = charges.length;
      return news;
    },
  };
}

type Bank = ReturnType<typeof createBank>;

const input = z.object({ order: z.string() });
const base = { name: 'pay', description: 'Pays an order.', input, examples: [{ input: { order: 'O-7' } }] } as const;
const key = { key: ({ order }: { order: string }) => order };

/** Each trial is about an order that nobody has paid. */
function withFreshBank(make: (bank: Bank) => AnyTool) {
  const bank = createBank();
  return {
    tool: make(bank),
    outside: () => {
      const news = bank.recorded();
      if (news.length > 0) bank.forget();
      return news;
    },
    bank,
  };
}

const messages = async (tool: AnyTool, more: object = {}) =>
  (await checkCrashes([tool], { allowWrites: true, seed: 4711, trials: 0, ...more })).map(({ message, level }) => `${level}: ${message}`);

test('a tool without a key pays twice, and the finding names what was lost, the seed and the fix', async () => {
  const bank = createBank();
  const pay = defineTool({ ...base, steps: true, run: ({ order }, { step }) => step('charge', () => bank.charge(order)) });
  const found = await checkCrashes([pay], { allowWrites: true, seed: 4711, trials: 0 });
  expect(found.map(({ check, message }) => [check, message])).toEqual([
    ['crashes/acts-once', 'does `charge` twice if its process dies after `charge` (seed 4711)'],
    ['crashes/can-tell', 'cannot tell whether it happened, and stays `unknown` if the answer to `charge` is lost (seed 4711)'],
    ['crashes/acts-once', 'does `charge` twice if its process dies after its handler (seed 4711)'],
  ]);
  expect(found[0]?.fix).toContain('idempotency: { key:');
});

test('a handler that does everything itself acts twice', async () => {
  const bank = createBank();
  const pay = defineTool({ ...base, run: ({ order }) => bank.charge(order) });
  expect(await messages(pay)).toContain('must: acts twice if its process dies after its handler (seed 4711)');
});

test('a tool that a person approves is approved and killed like any other', async () => {
  const bank = createBank();
  const pay = defineTool({ ...base, approval: true, run: ({ order }) => bank.charge(order) });
  expect(await messages(pay)).toContain(
    'should: cannot tell whether it happened, and stays `unknown` if its process dies after its handler (seed 4711)',
  );
});

test('a call that nobody ends was not tried', async () => {
  const wait = defineTool({ ...base, run: () => pending({ handle: 'elsewhere', reason: 'running' }) });
  const [report] = await reportOnCrashes([wait], { allowWrites: true, trials: 0, timeoutMs: 50 });
  expect(report).toMatchObject({ findings: [], notRun: expect.stringContaining('it still waits without a crash') });
});

test('with a key and nothing to ask, it acts once and cannot tell', async () => {
  const bank = createBank();
  const pay = defineTool({
    ...base,
    steps: true,
    idempotency: key,
    run: ({ order }, { step }) => step('charge', () => bank.charge(order)),
  });
  expect(await messages(pay)).toEqual([
    'should: cannot tell whether it happened, and stays `unknown` if its process dies before `charge` (seed 4711)',
    'should: cannot tell whether it happened, and stays `unknown` if its process dies after `charge` (seed 4711)',
    'should: cannot tell whether it happened, and stays `unknown` if the answer to `charge` is lost (seed 4711)',
  ]);
});

test('with a key and `reconcile` there is nothing to find, whatever comes together', async () => {
  const { tool, outside } = withFreshBank((bank) =>
    defineTool({
      ...base,
      steps: true,
      idempotency: key,
      run: ({ order }, { step }) => step('charge', () => bank.charge(order)),
      reconcile: async ({ order }) => ((await bank.find(order)) ? { effect: 'applied', data: `charge of ${order}` } : { effect: 'none' }),
    }),
  );
  expect(await reportOnCrashes([tool], { allowWrites: true, trials: 30, outside })).toEqual([{ tool: 'pay', trials: 35, findings: [] }]);
});

test('a `reconcile` that denies what was done is found out', async () => {
  const bank = createBank();
  const pay = defineTool({
    ...base,
    steps: true,
    idempotency: key,
    run: ({ order }, { step }) => step('charge', () => bank.charge(order)),
    reconcile: () => ({ effect: 'none' }),
  });
  const found = await checkCrashes([pay], { allowWrites: true, trials: 0 });
  expect(found[0]?.message).toBe('does `charge` twice if its process dies after `charge` (seed 1)');
  expect(found[0]?.fix).toContain('`reconcile` says `none`');
});

test('a `reconcile` that claims what was not done is found out', async () => {
  const bank = createBank();
  const pay = defineTool({
    ...base,
    steps: true,
    idempotency: key,
    run: ({ order }, { step }) => step('charge', () => bank.charge(order)),
    reconcile: () => ({ effect: 'applied', data: 'paid' }),
  });
  expect(await messages(pay)).toEqual([
    'must: says that it succeeded, and nothing was done if its process dies before `charge` (seed 4711)',
  ]);
});

test('a service that is given the key may be asked twice, and asking it again tells what became of it', async () => {
  const bank = createBank();
  const pay = defineTool({
    ...base,
    steps: true,
    idempotency: key,
    run: ({ order }, { step }) =>
      step('charge', (own) => bank.charge(order, own), { effects: 'idempotent', retry: { attempts: 4, baseMs: 1 } }),
  });
  expect(await messages(pay, { trials: 10 })).toEqual([]);
});

test('what is done outside of a step is seen by what the outside world recorded', async () => {
  const { tool, outside } = withFreshBank((bank) =>
    defineTool({
      ...base,
      steps: true,
      idempotency: key,
      run: async ({ order }, { step }) => {
        await bank.charge(order);
        return step('label', () => 'label', { effects: 'idempotent' });
      },
    }),
  );
  const found = await checkCrashes([tool], { allowWrites: true, trials: 0, outside });
  expect(found[0]?.message).toBe('does `charge O-7` twice if its process dies before `label` (seed 1)');
});

test('the same seed finds the same', async () => {
  const bank = createBank();
  const pay = defineTool({
    ...base,
    steps: true,
    run: async ({ order }, { step }) => {
      await step('charge', () => bank.charge(order));
      return step('ship', () => 'shipped');
    },
  });
  const options = { allowWrites: true, seed: 7, trials: 10 };
  const found = async () => (await checkCrashes([pay], options)).map(({ message }) => message);
  expect(await found()).toEqual(await found());
});

test('tools that write are run only where that is allowed, and a fake stands in for one', async () => {
  const real: string[] = [];
  const pay = defineTool({ ...base, idempotency: key, run: ({ order }) => void real.push(order) });
  expect(await reportOnCrashes([pay])).toEqual([
    { tool: 'pay', trials: 0, findings: [], notRun: 'it writes; it runs only with allowWrites or a fake' },
  ]);
  const faked = await reportOnCrashes([pay], { fakes: { pay: () => 'paid' }, trials: 0 });
  expect([faked[0]?.trials, real]).toEqual([4, []]);
});

test('a tool that only reads is left alone', async () => {
  expect(await reportOnCrashes([defineTool({ ...base, effects: 'none', run: () => 'seen' })])).toEqual([]);
});

test('a call that fails without a crash is no trial', async () => {
  const pay = defineTool({
    ...base,
    run: () => {
      throw new Error('no such account');
    },
  });
  const [report] = await reportOnCrashes([pay], { allowWrites: true });
  expect(report?.notRun).toBe('it fails without a crash (no such account); give `inputs` with which it succeeds');
});

test.each([{ only: ['nothing'] }, { inputs: { nothing: {} } }, { fakes: { nothing: () => 1 } }])('%j names no tool', async (options) => {
  await expect(checkCrashes([defineTool({ ...base, run: () => 1 })], options)).rejects.toThrow('there is no tool "nothing"');
});
