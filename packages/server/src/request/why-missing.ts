import type { Need } from './route.ts';
import type { ServerState } from './server-state.ts';

interface Missing {
  readonly message: string;
  readonly advice: string;
}

const needs: Readonly<Record<Need, Missing & { readonly has: (server: Pick<ServerState, 'toolbox' | 'resources'>) => boolean }>> = {
  store: {
    has: ({ toolbox }) => toolbox.calls !== undefined,
    message: 'This server does not do that: its toolbox has no store.',
    advice: 'Serve a toolbox that has one: createToolbox(tools, { store }).',
  },
  results: {
    has: ({ toolbox }) => toolbox.readResult !== undefined,
    message: 'This server does not do that: its toolbox has no spill guard.',
    advice: 'Add spill({ store }) to the `use` of the toolbox that is served.',
  },
  resources: {
    has: ({ resources }) => resources !== undefined,
    message: 'The tools of this server have no resources, so there are no sessions.',
    advice: 'Give the toolbox `resources: createResources(…)` to keep sessions.',
  },
};

/** Says why a server lacks what a route needs, and how to add it; undefined where it has it. */
export function whyMissing(need: Need, server: Pick<ServerState, 'toolbox' | 'resources'>): Missing | undefined {
  const { has, message, advice } = needs[need];
  return has(server) ? undefined : { message, advice };
}
