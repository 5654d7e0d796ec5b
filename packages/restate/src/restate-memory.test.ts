import type { StepEnd, StepEntry } from 'toolpact/extend';
import { makeFailure } from 'toolpact/internal';
import { expect, test } from 'vitest';
import { skipTime, until } from '../../../proofs/fixtures/skip-time.ts';
import { createHandOver } from './hand-over.ts';
import type { PromisePump } from './promise-pump.ts';
import type { RestateIngress } from './restate-ingress.ts';
import { createRestateMemory } from './restate-memory.ts';
import type { WorkflowContext } from './restate-sdk.ts';
import { stepFlightsOf } from './step-flights.ts';

skipTime();

/** A call as Restate stores it: the entries of its journal, and its promises. `delay` holds up requests about promises. */
function createCall() {
  const entries = new Map<string, unknown>();
  const promises = new Map<string, unknown>();
  const call = { entries, promises, delay: async (_name: string): Promise<void> => undefined };
  const ingress: Pick<RestateIngress, 'settle' | 'peek'> = {
    async settle(_tenant, _handle, name, answer) {
      await call.delay(name);
      if (promises.has(name)) return { is: 'taken' };
      promises.set(name, answer);
      return { is: 'settled' };
    },
    peek: async (_tenant, _handle, names) => names.map((name) => promises.get(name) ?? null),
  };
  return { ...call, ingress, setDelay: (delay: typeof call.delay) => Object.assign(call, { delay }) };
}

/** One attempt of a call, in a process of its own; `lastEntry` names the entry of the journal with which Restate gives it up. */
function attempt(name: string, { entries, ingress }: ReturnType<typeof createCall>, ledger: string[], lastEntry?: string) {
  let isGivenUp = false;
  const giveUp = (): void => {
    isGivenUp = true;
    flights.giveAway(handOver);
  };
  const flights = stepFlightsOf(name, () => undefined);
  const handOver = createHandOver({ ingress: ingress as RestateIngress, tenant: 't', handle: 'h', leaseMs: 3_000 });
  const run = async <TValue>(label: string, action: () => Promise<TValue>): Promise<TValue> => {
    if (entries.has(label)) return entries.get(label) as TValue;
    const value = await action();
    // Restate hears nothing from an attempt that it has given up.
    if (isGivenUp) return new Promise<never>(() => undefined);
    entries.set(label, value);
    if (label === lastEntry) giveUp();
    return value;
  };
  const pump = { waitForRun: (promise: PromiseLike<unknown>) => promise } as unknown as PromisePump;
  const memory = createRestateMemory({
    ctx: { run } as unknown as WorkflowContext,
    pump,
    flights,
    handOver,
    isGivenUp: () => isGivenUp,
    request: { tool: 'order' },
    handle: 'h',
    signal: new AbortController().signal,
  });
  const entry: StepEntry = {
    id: '1:charge',
    name: 'charge',
    occurrence: 1,
    effects: 'writes',
    key: 'k',
    attempt: 1,
    reconcile: undefined,
    maxChars: 1_000,
    toFailure: (_, effect) => makeFailure('interrupted', { message: 'It was interrupted.', effect }),
  };
  return {
    charge: () =>
      memory.step(entry, async (): Promise<StepEnd> => {
        ledger.push(name);
        return { value: name, failed: false, effect: 'applied' };
      }),
    giveUp,
  };
}

test('a step that an attempt was about to take over when Restate gave it up, too, is run by the next one', async () => {
  const [call, ledger] = [createCall(), [] as string[]];
  // The first process has said that it is about to run the step, and is given up before it does.
  void attempt('first', call, ledger, 'charge: begins').charge();
  await until(() => expect([call.entries.size, call.promises.size, ledger]).toEqual([1, 1, []]));
  // The second one is given up while it waits for Restate to say that the step is its own.
  const second = attempt('second', call, ledger);
  const claimed = Promise.withResolvers<void>();
  let isClaiming = false;
  call.setDelay(async (name) => {
    if (!name.endsWith('/next')) return;
    isClaiming = true;
    await claimed.promise;
  });
  const taking = second.charge().catch(() => undefined);
  await until(() => expect(isClaiming).toBe(true));
  second.giveUp();
  claimed.resolve();
  void taking;
  const end = await attempt('third', call, ledger).charge();
  expect([end, ledger]).toEqual([{ value: 'third', failed: false, effect: 'applied' }, ['third']]);
});
