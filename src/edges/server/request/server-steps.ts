import type { CallContext } from '../../../core/contract/index.ts';
import { classify } from '../../../core/outcome/index.ts';
import { type ContainStraysOptions, runContained } from '../../../parts/guards/contain-strays.ts';
import { mayCall, mayCallAll } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';
import type { ServedToolbox } from '../server-options.ts';
import { callerContext, createDemandTenant, createReadContext } from './read-context.ts';
import type { Refuse } from './refusal.ts';
import type { ServerState } from './server-state.ts';

type Steps = Pick<ServerState, 'permit' | 'demandTenant' | 'contextOf' | 'toolboxOf' | 'viewOf' | 'contain'>;

/** Makes the steps that routes share. */
export function createSteps(toolbox: ServedToolbox, settings: ServerSettings, refuse: Refuse): Steps {
  const bound = new Map<string, ServedToolbox>();
  const demandTenant = createDemandTenant(settings, refuse);
  const onStray: NonNullable<ContainStraysOptions['onStray']> = ({ tool, error }) =>
    toolbox.emit({ type: 'problem', where: `a promise that ${tool} left behind`, message: classify(error).message });
  return {
    // An answer to a request is a flow of its own, which has waited for the body.
    contain: settings.containStrays === false ? (_, run) => run() : (tool, run) => runContained(tool, run, onStray, true),
    permit(request, identity, name) {
      const found = toolbox.resolveName(name);
      // A caller that may call a few tools learns nothing about the others, not even whether they exist.
      if (found === undefined ? mayCallAll(identity) : mayCall(identity, found)) return found;
      return refuse(request, 'forbidden', 'This credential may not call this tool.', {
        denied: 'forbidden',
        identity,
        tool: name.slice(0, 64),
        ...(found !== undefined && { meant: found }),
      });
    },
    demandTenant,
    contextOf: createReadContext(toolbox, settings, refuse, demandTenant),
    toolboxOf({ tenantId }) {
      const known = bound.get(tenantId);
      if (known !== undefined) return known;
      const own = toolbox.with({ tenantId });
      if (bound.size >= 256) bound.clear();
      bound.set(tenantId, own);
      return own;
    },
    viewOf(identity, client) {
      const { tenantId, subject } = identity;
      const kept = client.kept as KeptView | undefined;
      // Another server may have answered the last request of this connection.
      if (kept?.toolbox === toolbox && kept.tenantId === tenantId && kept.subject === subject) return kept.view;
      const view = toolbox.with({ ...callerContext(identity), signal: client.signal } as CallContext<never>);
      client.kept = { toolbox, tenantId, subject, view } satisfies KeptView;
      return view;
    },
  };
}

/** A toolbox bound to a caller. Binding costs more than a call, and a connection brings many calls of one caller. */
interface KeptView {
  readonly toolbox: ServedToolbox;
  readonly tenantId: string;
  readonly subject: string | undefined;
  readonly view: ServedToolbox;
}
