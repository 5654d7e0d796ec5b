import { type AnyTool, type CallContext, createToolbox, type Outcome } from 'toolpact';
import type { Ledger } from 'toolpact/extend';
import { memoryStore, type Store } from 'toolpact/stores/memory';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { expect, test } from 'vitest';
import { runChecks } from '../../../packages/testing/src/define-check.ts';
import { checkEngine } from './check-engine.ts';
import { createEngineCases } from './engine-cases.ts';
import type { EngineToolbox } from './engine-check.ts';
import { engineChecks } from './engine-checks.ts';

const openOn = (tools: readonly AnyTool[], store: Store = memoryStore()): EngineToolbox =>
  createToolbox(tools, { store, report: () => undefined });

test.each([
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore(':memory:')],
] as const)('a toolbox with the store %s keeps every promise of an engine', async (_, open) => {
  const store = open();
  expect(await checkEngine((tools) => ({ toolbox: openOn(tools, store), close: () => store.close() }))).toEqual([]);
});

/** Changes what goes into an engine, and what comes out. */
function changed(
  toolbox: EngineToolbox,
  context: (given: CallContext) => CallContext,
  outcome: (given: Outcome) => unknown = (given) => given,
): EngineToolbox {
  return {
    ...toolbox,
    answer: async (call, given) => outcome(await toolbox.answer(call, context(given ?? {}) as never)) as Outcome,
    with: (given) => changed(toolbox.with(context(given as CallContext) as never), context, outcome),
  };
}
const same = (context: CallContext): CallContext => context;
const changeError = (change: object) => (outcome: Outcome) =>
  outcome.status === 'error' ? { ...outcome, error: { ...outcome.error, ...change } } : outcome;

/** A store that remembers calls otherwise than it should. */
function storeWith(change: (calls: Ledger) => Partial<Ledger>): Store {
  const store = memoryStore();
  return { ...store, calls: { ...(store.calls as Ledger), ...change(store.calls as Ledger) } };
}
const withoutKeys = () => storeWith((calls) => ({ begin: ({ key: _, ...call }) => calls.begin(call) }));
const withoutSteps = () =>
  storeWith((calls) => ({ steps: async () => [], take: async (at, taker) => forgetSteps(await calls.take(at, taker)) }));
const forgetSteps = (taken: Awaited<ReturnType<Ledger['take']>>) =>
  taken.is === 'taken' ? { ...taken, call: { ...taken.call, steps: [] } } : taken;

/** Keeps every outcome for ever, whatever it is. */
function stubborn(tools: readonly AnyTool[]): EngineToolbox {
  const kept = new Map<unknown, Outcome>();
  const toolbox = openOn(tools);
  return {
    ...toolbox,
    async answer(call, context) {
      const { id } = call.args as { readonly id: string };
      const outcome = kept.get(id) ?? (await toolbox.answer(call, context));
      kept.set(id, outcome);
      return outcome;
    },
  };
}

/** For each check, engines that break what it requires. */
const broken: Readonly<Record<string, readonly ((tools: readonly AnyTool[]) => EngineToolbox)[]>> = {
  'engine/same-outcomes': [(tools) => changed(openOn(tools), same, changeError({ details: undefined }))],
  'engine/runs-steps-once': [(tools) => twice(openOn(tools, withoutKeys()))],
  'engine/replays-keys': [(tools) => openOn(tools, withoutKeys())],
  'engine/compares-arguments': [(tools) => openOn(tools, withoutKeys()), stubborn],
  'engine/frees-keys': [stubborn],
  'engine/goes-on-after-failures': [(tools) => openOn(tools, withoutSteps())],
  'engine/states-effects': [(tools) => changed(openOn(tools), same, changeError({ effect: 'none' }))],
  'engine/sleeps-and-waits': [(tools) => openOn(tools, withoutSteps())],
  'engine/keeps-tenants-apart': [(tools) => changed(openOn(tools), ({ tenantId: _, ...context }) => context)],
  'engine/passes-the-caller-on': [(tools) => changed(openOn(tools), ({ userId: _, ...context }) => context)],
  'engine/stops': [(tools) => changed(openOn(tools), same, changeError({ kind: 'timeout' }))],
};

/** Makes each call twice. */
function twice(toolbox: EngineToolbox): EngineToolbox {
  return {
    ...toolbox,
    async answer(call, context) {
      await toolbox.answer(call, context);
      return toolbox.answer(call, context);
    },
  };
}

test.each(Object.entries(broken).flatMap(([id, engines]) => engines.map((open) => [id, open] as const)))(
  '%s finds it',
  async (id, open) => {
    const cases = createEngineCases();
    const found = await runChecks(
      engineChecks.filter((check) => check.id === id),
      { toolbox: open(cases.tools), cases },
    );
    expect(found.length).toBeGreaterThan(0);
  },
);

test('every check can fail', () => {
  expect(Object.keys(broken).sort()).toEqual(engineChecks.map(({ id }) => id).sort());
});
