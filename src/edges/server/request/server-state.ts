import type { CallContext } from '../../../core/contract/index.ts';
import { classify, type JsonObject } from '../../../core/outcome/index.ts';
import { runContained, type Stray } from '../../../parts/guards/contain-strays.ts';
import type { Resources } from '../../../parts/resources/index.ts';
import { hasScope, type Identity, mayCall, mayCallAll } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';
import type { McpEndpoint } from '../mcp/endpoint.ts';
import type { SessionToolbox } from '../routes/session-tools.ts';
import type { Denied, ServedToolbox } from '../server-options.ts';
import type { Client } from './client.ts';
import type { HttpAnswer } from './http-answer.ts';
import type { InFlight } from './in-flight.ts';
import { callerContext, createReadContext, type RequestContext } from './read-context.ts';
import type { Refuse } from './refusal.ts';
import type { ServerRequest } from './server-request.ts';

/** What all routes of one server share. */
export interface ServerState {
  readonly toolbox: ServedToolbox;
  readonly settings: ServerSettings;
  readonly inFlight: InFlight;
  readonly audit: (record: Denied) => void;
  /** Refuses a request before any call. */
  readonly refuse: Refuse;
  /** Gives the exact name of a tool asked for in any spelling, if this caller may call it; else the refusal. Undefined: no such tool. */
  readonly permit: (request: ServerRequest, identity: Identity, name: string) => string | undefined | HttpAnswer;
  /** Reads what a request says about a call; the tenant is that of the credential, and never among it. */
  readonly contextOf: (request: ServerRequest, body?: unknown) => RequestContext | HttpAnswer;
  /** Gives the toolbox bound to the tenant of a caller. */
  readonly toolboxOf: (identity: Identity) => ServedToolbox;
  /** Gives the toolbox bound to a caller and to the signal of its client. */
  readonly viewOf: (identity: Identity, client: Client) => ServedToolbox;
  /** Runs calls so that a promise that a tool forgot does not end the process: it is printed, and a `problem` for the listeners. */
  readonly contain: <TValue>(tool: string, run: () => TValue) => TValue;
  readonly sessions: { readonly resources: Resources; readonly tools: SessionToolbox } | undefined;
  readonly mcp: McpEndpoint | undefined;
  /** Takes no more calls, lets those in flight finish, and closes the server. */
  readonly shutDown: (options: { readonly drainMs?: number }) => void;
  /** Writes the OpenAPI document of the tools that a caller may call. */
  readonly describe: (options: { readonly credentialHeaders: readonly string[]; readonly only: (name: string) => boolean }) => JsonObject;
}

/** Who may use a route besides everybody with a credential: what is asked of the caller, and what a refusal says. */
export const scopes = {
  open: { allows: () => true, message: '' },
  admin: { allows: (identity) => hasScope(identity, 'admin'), message: 'This credential may not stop the server.' },
  'approvals:decide': {
    allows: (identity) => hasScope(identity, 'approvals:decide'),
    message: 'This credential may not decide about calls.',
  },
  'pending:settle': { allows: (identity) => hasScope(identity, 'pending:settle'), message: 'This credential may not settle calls.' },
  // A caller that may call only some tools has no business with the sessions of other tools.
  'sessions:keep': {
    allows: (identity) => mayCallAll(identity) || hasScope(identity, 'sessions:admin'),
    message: 'This credential may not keep sessions.',
  },
  // Starting a backend may be costly, so it needs a scope wherever callers have scopes.
  'sessions:warm': {
    allows: (identity, settings) => settings.authenticators.length === 0 || hasScope(identity, 'sessions:admin'),
    message: 'This credential may not do that.',
  },
} as const satisfies Readonly<
  Record<string, { readonly allows: (identity: Identity, settings: ServerSettings) => boolean; readonly message: string }>
>;

/** Names who may use a route. */
export type Scope = keyof typeof scopes;

type Steps = Pick<ServerState, 'permit' | 'contextOf' | 'toolboxOf' | 'viewOf' | 'contain'>;

/** Makes the steps that routes share. */
export function createSteps(toolbox: ServedToolbox, settings: ServerSettings, refuse: Refuse): Steps {
  const bound = new Map<string, ServedToolbox>();
  const onStray = ({ tool, error }: Stray): void =>
    toolbox.emit({ type: 'problem', where: `a promise that ${tool} left behind`, message: classify(error).message });
  return {
    contain: settings.containStrays === false ? (_, run) => run() : (tool, run) => runContained(tool, run, onStray),
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
    contextOf: createReadContext(toolbox, settings, refuse),
    toolboxOf({ tenantId }) {
      const known = bound.get(tenantId);
      if (known !== undefined) return known;
      const own = toolbox.with({ tenantId });
      if (bound.size >= 256) bound.clear();
      bound.set(tenantId, own);
      return own;
    },
    viewOf(identity, client) {
      const kept = client.kept as KeptView | undefined;
      // Another server may have answered the last request of this connection.
      if (kept?.toolbox === toolbox && kept.identity === identity) return kept.view;
      const view = toolbox.with({ ...callerContext(identity), signal: client.signal } as CallContext<never>);
      client.kept = { toolbox, identity, view } satisfies KeptView;
      return view;
    },
  };
}

/** Binding costs more than a call, and a connection brings many calls of one caller. */
interface KeptView {
  readonly toolbox: ServedToolbox;
  readonly identity: Identity;
  readonly view: ServedToolbox;
}
