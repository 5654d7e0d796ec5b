import type { Need } from './route.ts';
import type { ServerState } from './server-state.ts';

/** The guard that adds each method to a toolbox. */
const guardOf: Readonly<Record<Exclude<Need, 'resources'>, string>> = {
  calls: 'journal',
  findCall: 'journal',
  rerun: 'journal',
  readResult: 'spill',
  wait: 'defer',
  settle: 'defer',
  decide: 'approvals',
};

/** Says why a server lacks what a route needs, and how to add it; undefined where it has it. */
export function whyMissing(
  need: Need,
  { toolbox, resources }: Pick<ServerState, 'toolbox' | 'resources'>,
): { readonly message: string; readonly advice: string } | undefined {
  if (need === 'resources') {
    if (resources !== undefined) return undefined;
    return {
      message: 'The tools of this server have no resources, so there are no sessions.',
      advice: 'Give the toolbox `resources: createResources(…)` to keep sessions.',
    };
  }
  if (toolbox[need] !== undefined) return undefined;
  const guard = guardOf[need];
  return {
    message: `This server does not do that: its toolbox has no ${guard} guard.`,
    advice: `Add ${guard}({ store }) to the \`use\` of the toolbox that is served.`,
  };
}
