import type { CallContext, Reconciled } from '../contract/index.ts';
import { silentDispatcher } from '../events/index.ts';
import type { Outcome } from '../outcome/index.ts';
import { callTool } from './call-tool.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';

/** Turns what a tool might have returned into its outcome, checked like any other, without running it. */
export function conclude(plan: ToolPlan, settings: CallSettings, args: unknown, returned: unknown, context: CallContext): Promise<Outcome> {
  const guards = settings.guards.filter(({ wrapsExternalResults }) => wrapsExternalResults === true);
  const own = { ...plan, checkInput: undefined, run: () => returned, needs: undefined, steps: false, requires: [] };
  return callTool(own, { ...quiet(settings), guards, runner: guards.length > 0 ? settings.runner : undefined }, args, context);
}

/** Asks a tool what became of a call whose effect is not known. */
export async function reconcile(
  plan: ToolPlan,
  settings: CallSettings,
  args: unknown,
  context: CallContext,
): Promise<Outcome | 'none' | undefined> {
  const { reconcile: run } = plan.guardOptions;
  if (run === undefined) return undefined;
  const found = await callTool(
    { ...plan, checkOutput: undefined, toModel: undefined, run, needs: undefined, steps: false, requires: [] },
    quiet(settings),
    args,
    context,
  );
  const { effect, data } = (found.status === 'ok' ? (found.data ?? {}) : {}) as Partial<Reconciled & { readonly data: unknown }>;
  if (effect === 'applied') return conclude(plan, settings, args, data, context);
  return effect === 'none' ? 'none' : undefined;
}

/** Turns listeners and telemetry off for runs that are not calls of their own. */
function quiet(settings: CallSettings): CallSettings {
  return {
    ...settings,
    runner: undefined,
    outer: [],
    guards: [],
    dispatcher: silentDispatcher,
    session: undefined,
    watched: false,
    telemetry: undefined,
  };
}
