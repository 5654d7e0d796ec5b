import type { CallKeeping } from '../calls/index.ts';
import type { CallContext } from '../contract/index.ts';
import { type GuardedToolbox, type GuardSupply, splitSupply } from '../ports/index.ts';
import {
  type CallSettings,
  checkArguments,
  conclude,
  mergeContext,
  noPlan,
  preview,
  reconcile,
  type ToolPlan,
  toGuardedTool,
} from '../runtime/index.ts';

/** Creates what the guards of a toolbox add to it: their methods, and what they supply to servers, workers and engines. */
export function createGuardMethods(
  settings: CallSettings,
  plans: ReadonlyMap<string, ToolPlan>,
  toolbox: Pick<GuardedToolbox, 'answer' | 'emit' | 'context'>,
): { readonly methods: object; readonly supply: GuardSupply } {
  const withPlan = <TResult>(
    name: string,
    context: CallContext | undefined,
    use: (plan: ToolPlan, own: CallContext) => TResult,
  ): TResult => {
    // A process may decide about calls of tools that it does not have.
    return use(plans.get(name) ?? { ...noPlan, name }, mergeContext(toolbox.context, context));
  };
  let all: object = {};
  let supply: GuardSupply = {};
  const view: GuardedToolbox = {
    ...toolbox,
    find: (name) => {
      const plan = plans.get(name);
      return plan && toGuardedTool(plan);
    },
    redact: settings.redactor.text,
    redactValue: settings.redactor.value,
    checkArguments: async (name, args, context) =>
      plans.has(name) ? withPlan(name, context, (plan, own) => checkArguments(plan, settings, args, own)) : undefined,
    provides: (promise) => settings.provides.has(promise),
    toOutcome: (name, args, returned, context) => withPlan(name, context, (plan, own) => conclude(plan, settings, args, returned, own)),
    preview: (name, args, context) => withPlan(name, context, (plan, own) => preview(plan, settings, args, own)),
    reconcile: (name, args, context) => withPlan(name, context, (plan, own) => reconcile(plan, settings, args, own)),
  };
  const keeping = settings.keeping as CallKeeping | undefined;
  if (keeping !== undefined) {
    const { inner: ofCalls, ...methods } = keeping.methods(view);
    all = methods;
    supply = { calls: { ...keeping.supply, ...ofCalls }, idle: keeping.idle };
  }
  // Of two guards that add a method of one name, the outer one counts: what it answers never reaches the other.
  for (const { methods } of [...settings.outer, ...settings.guards].toReversed()) {
    const added = splitSupply(methods?.(view) ?? {});
    all = { ...all, ...added.methods };
    supply = { ...supply, ...added.supply };
  }
  return { methods: all, supply };
}
