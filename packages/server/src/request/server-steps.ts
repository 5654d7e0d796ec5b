import { classify } from 'toolpact';
import { type ContainStraysOptions, runContained } from 'toolpact/guards/contain-strays';
import { mayCall, mayCallAll } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';
import type { ServedToolbox } from '../server-options.ts';
import { createDemandTenant, createReadContext } from './read-context.ts';
import type { Refuse } from './refusal.ts';
import { isSearchTool } from './search-tools.ts';
import type { ServerState } from './server-state.ts';

/** The steps of a request that several routes share. */
type ServerSteps = Pick<ServerState, 'permit' | 'demandTenant' | 'contextOf' | 'toolboxOf' | 'contain'>;

/** Creates the steps that routes share. */
export function createServerSteps(toolbox: ServedToolbox, settings: ServerSettings, refuse: Refuse): ServerSteps {
  const demandTenant = createDemandTenant(settings, refuse);
  const onStray: NonNullable<ContainStraysOptions['onStray']> = ({ tool, error }) =>
    toolbox.emit({ type: 'problem', where: `a promise that ${tool} left behind`, message: classify(error).message });
  return {
    contain: settings.containStrays === false ? (_, run) => run() : (tool, run) => runContained(tool, run, onStray),
    permit(request, identity, requestedName) {
      const name = toolbox.resolveName(requestedName);
      // A caller that may call a few tools learns nothing about the others, not even whether they exist.
      if (name === undefined ? mayCallAll(identity) : mayCall(identity, name) || isSearchTool(toolbox, name)) return name;
      return refuse(request, 'forbidden', 'This credential may not call this tool.', {
        denied: 'forbidden',
        identity,
        tool: requestedName.slice(0, 64),
        ...(name !== undefined && { meant: name }),
      });
    },
    demandTenant,
    contextOf: createReadContext(toolbox, settings, refuse, demandTenant),
    toolboxOf: ({ tenantId }) => toolbox.with({ tenantId }),
  };
}
