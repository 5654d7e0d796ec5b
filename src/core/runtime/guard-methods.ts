import type { CallContext } from '../contract/index.ts';
import { conclude, reconcile } from './conclude.ts';
import { mergeContext } from './merge-context.ts';
import type { GuardedToolbox } from './ports.ts';
import { toGuardedTool } from './run-guards.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';

/** Makes what the guards of a toolbox add to it. */
export function guardMethods(
  settings: CallSettings,
  plans: ReadonlyMap<string, ToolPlan>,
  toolbox: Pick<GuardedToolbox, 'answer' | 'emit' | 'context'>,
): object {
  const withPlan = <TResult>(
    name: string,
    context: CallContext | undefined,
    use: (plan: ToolPlan, own: CallContext) => TResult,
  ): TResult => {
    const plan = plans.get(name);
    if (plan === undefined) throw new TypeError(`there is no tool named "${name}"`);
    return use(plan, mergeContext(toolbox.context, context));
  };
  const view: GuardedToolbox = {
    ...toolbox,
    find: (name) => {
      const plan = plans.get(name);
      return plan && toGuardedTool(plan);
    },
    keeps: (promise) => settings.keeps.has(promise),
    conclude: (name, args, returned, context) => withPlan(name, context, (plan, own) => conclude(plan, settings, args, returned, own)),
    reconcile: (name, args, context) => withPlan(name, context, (plan, own) => reconcile(plan, settings, args, own)),
  };
  return Object.assign({}, ...[...settings.early, ...settings.guards].map(({ methods }) => methods?.(view)));
}
