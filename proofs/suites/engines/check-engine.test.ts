import { type AnyTool, type CallContext, createToolbox, type Outcome } from 'toolpact';
import { defineGuard } from 'toolpact/extend';
import { defer, type Guard, idempotency, journal } from 'toolpact/guards';
import { memoryStore, type Store } from 'toolpact/stores/memory';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { expect, test } from 'vitest';
import { runChecks } from '../../../packages/testing/src/define-check.ts';
import { checkEngine } from './check-engine.ts';
import { createEngineCases } from './engine-cases.ts';
import type { EngineToolbox } from './engine-check.ts';
import { engineChecks } from './engine-checks.ts';

const openOn = (tools: readonly AnyTool[], guards: (store: Store) => readonly Guard[], store: Store = memoryStore()): EngineToolbox =>
  createToolbox(tools, { use: [...guards(store), defer({ store })], report: () => undefined }) as unknown as EngineToolbox;
const durable = (store: Store): readonly Guard[] => [journal({ store }), idempotency({ store })];

test.each([
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore({ path: ':memory:' })],
] as const)('the guards on %s keep every promise of an engine', async (_, open) => {
  const store = open();
  expect(await checkEngine((tools) => ({ toolbox: openOn(tools, durable, store), close: () => store.close() }))).toEqual([]);
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

/** Keeps no key, and promises to. */
const forgetful = defineGuard({ name: 'forgetful', phase: 'key', provides: ['idempotency'], around: (_, next) => next() });
/** Keeps every outcome for ever, whatever it is. */
const stubborn = () => {
  const kept = new Map<unknown, Outcome>();
  return defineGuard({
    name: 'stubborn',
    phase: 'key',
    provides: ['idempotency'],
    async around(call, next) {
      const { id } = call.input as { readonly id: string };
      const outcome = kept.get(id) ?? (await next());
      kept.set(id, outcome);
      return outcome;
    },
  });
};

/** For each check, engines that break what it requires. */
const broken: Readonly<Record<string, readonly ((tools: readonly AnyTool[]) => EngineToolbox)[]>> = {
  'engine/same-outcomes': [(tools) => changed(openOn(tools, durable), same, changeError({ details: undefined }))],
  'engine/runs-steps-once': [(tools) => twice(openOn(tools, () => [forgetful]))],
  'engine/replays-keys': [(tools) => openOn(tools, () => [forgetful])],
  'engine/compares-arguments': [(tools) => openOn(tools, () => [forgetful]), (tools) => openOn(tools, () => [stubborn()])],
  'engine/frees-keys': [(tools) => openOn(tools, () => [stubborn()])],
  'engine/goes-on-after-failures': [(tools) => openOn(tools, (store) => [idempotency({ store })])],
  'engine/states-effects': [(tools) => changed(openOn(tools, durable), same, changeError({ effect: 'none' }))],
  'engine/sleeps-and-waits': [(tools) => openOn(tools, () => [forgetful])],
  'engine/keeps-tenants-apart': [(tools) => changed(openOn(tools, durable), ({ tenantId: _, ...context }) => context)],
  'engine/passes-the-caller-on': [(tools) => changed(openOn(tools, durable), ({ userId: _, ...context }) => context)],
  'engine/stops': [(tools) => changed(openOn(tools, durable), same, changeError({ kind: 'timeout' }))],
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
