import type { CallKeeping } from '../calls/index.ts';
import type { CallContext } from '../contract/index.ts';
import type { GuardedToolbox } from '../ports/index.ts';
import {
  type CallSettings,
  checkArguments,
  conclude,
  mergeContext,
  noPlan,
  preview,
  type ToolboxInside,
  type ToolPlan,
  toGuardedTool,
} from '../runtime/index.ts';

/** Creates what the guards and the store of a toolbox add to it: methods, and what servers, workers and engines need. */
export function createGuardMethods(
  settings: CallSettings,
  plans: ReadonlyMap<string, ToolPlan>,
  toolbox: Pick<GuardedToolbox, 'answer' | 'emit' | 'context'>,
): { readonly methods: object; readonly supply: Pick<ToolboxInside, 'calls' | 'idle' | 'engine'> } {
  const withPlan = <TResult>(
    name: string,
    context: CallContext | undefined,
    use: (plan: ToolPlan, own: CallContext) => TResult,
  ): TResult => {
    // A process may decide about calls of tools that it does not have.
    return use(plans.get(name) ?? { ...noPlan, name }, mergeContext(toolbox.context, context));
  };
  let all: object = {};
  let supply: Pick<ToolboxInside, 'calls' | 'idle'> = {};
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
    toOutcome: (name, args, returned, context) => withPlan(name, context, (plan, own) => conclude(plan, settings, args, returned, own)),
    preview: (name, args, context) => withPlan(name, context, (plan, own) => preview(plan, settings, args, own)),
  };
  const keeping = settings.keeping as CallKeeping | undefined;
  if (keeping !== undefined) {
    const { inner: ofCalls, ...methods } = keeping.methods(view);
    all = methods;
    supply = { calls: { ...keeping.supply, ...ofCalls }, idle: keeping.idle };
  }
  // Of two guards that add a method of one name, the outer one counts: what it answers never reaches the other.
  for (const { methods } of [...settings.outer, ...settings.guards].toReversed()) all = { ...all, ...methods?.(view) };
  const engine = [...settings.outer, ...settings.guards].find((guard) => guard.engine !== undefined)?.engine;
  return { methods: all, supply: { ...supply, ...(engine !== undefined && { engine }) } };
}
