import type { CallKeeping } from '../../calls/index.ts';
import { type CallContext, noTenant } from '../../contract/index.ts';
import type { FailureKind } from '../../outcome/index.ts';
import type { LimitState, ListedCall } from '../../ports/index.ts';
import type { CallSettings, ToolPlan } from '../../runtime/index.ts';
import type { ListedTool } from '../listed-tool.ts';
import type { ToolIndex } from './tool-index.ts';

/** A tool that was found, and what a call of it will meet. */
export interface FoundTool extends ListedTool {
  /** How well it matches; comparable within one search only. */
  readonly score: number;
  /** Whether a person is asked before it runs: about every call, or about some, depending on the arguments. */
  readonly approval?: 'always' | 'sometimes';
  /** Until when its circuit is open and calls do not run, as an ISO timestamp. */
  readonly circuitOpenUntil?: string;
  /** How the last call of this tenant failed. Known where the toolbox has a store. */
  readonly lastFailure?: { readonly kind: FailureKind; readonly at: string };
}

/** Finds the tools that match a query, best first, of those that the caller of a context may call. */
export type FindTools = (query: string, limit: number, settings: CallSettings, context: CallContext) => Promise<FoundTool[]>;

/** A program may ask for hundreds; what is stored is looked up of the best. */
const mostLookedUp = 20;

/** Creates the search over the tools of a toolbox. They are indexed by the first search. */
export function createFindTools(list: () => readonly ListedTool[], plans: ReadonlyMap<string, ToolPlan>): FindTools {
  let indexing: Promise<{ readonly tools: readonly ListedTool[]; readonly index: ToolIndex }> | undefined;
  return async (query, limit, settings, { mayCall, tenantId = noTenant }) => {
    indexing ??= indexTools(list());
    const { tools, index } = await indexing;
    const matches = index.search(query, mayCall === undefined ? limit : tools.length);
    const found = matches
      .map(({ at, score }) => ({ ...(tools[at] as ListedTool), score }))
      .filter(({ name }) => mayCall?.(name) ?? true)
      .slice(0, limit);
    const names = found.slice(0, mostLookedUp).map(({ name }) => name);
    const [circuits, calls] = await Promise.all([openCircuits(settings, tenantId, names), lastCalls(settings, tenantId, names)]);
    return found.map((tool) => ({
      ...tool,
      ...approvalOf(plans.get(tool.name)),
      ...circuitOf(circuits.find((state) => state.tool === tool.name)),
      ...lastFailureOf(calls.find((call) => call.tool === tool.name)),
    }));
  };
}

/** The ranking knows many words, which only those load who search. */
async function indexTools(tools: readonly ListedTool[]): Promise<{ readonly tools: readonly ListedTool[]; readonly index: ToolIndex }> {
  const { createToolIndex } = await import('./tool-index.ts');
  return { tools, index: createToolIndex(tools) };
}

function approvalOf(plan: ToolPlan | undefined): Pick<FoundTool, 'approval'> {
  const { approval = false } = plan?.guardOptions ?? {};
  if (approval === false) return {};
  return { approval: typeof approval === 'function' ? 'sometimes' : 'always' };
}

async function openCircuits({ outer, guards }: CallSettings, tenantId: string, tools: readonly string[]): Promise<readonly LimitState[]> {
  const asked = [...outer, ...guards].map(async ({ limits }) => {
    try {
      return (await limits?.({ tenantId, tools })) ?? [];
    } catch {
      // A search that does not know the circuits is better than none.
      return [];
    }
  });
  return (await Promise.all(asked)).flat().filter(({ state }) => state === 'open');
}

function circuitOf(state: LimitState | undefined): Pick<FoundTool, 'circuitOpenUntil'> {
  return state?.until === undefined ? {} : { circuitOpenUntil: new Date(state.until).toISOString() };
}

async function lastCalls(settings: CallSettings, tenantId: string, tools: readonly string[]): Promise<readonly ListedCall[]> {
  return (await (settings.keeping as CallKeeping | undefined)?.lastCalls(tenantId, tools)) ?? [];
}

function lastFailureOf(call: ListedCall | undefined): Pick<FoundTool, 'lastFailure'> {
  if (call?.status !== 'error' || call.kind === undefined) return {};
  return { lastFailure: { kind: call.kind, at: call.endedAt ?? call.begunAt } };
}
