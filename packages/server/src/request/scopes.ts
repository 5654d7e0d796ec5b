import { hasScope, type Identity, mayCallAll } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';

/** Who may use a route besides everybody with a credential: what is asked of the caller, what it may not do otherwise, and the scope that it lacks then. */
export const scopes = {
  open: { allows: () => true, what: '', lacks: '' },
  admin: {
    allows: (identity) => hasScope(identity, 'admin'),
    what: 'stop the server',
    lacks: 'admin',
  },
  'approvals:decide': {
    allows: (identity) => hasScope(identity, 'approvals:decide'),
    what: 'decide about calls',
    lacks: 'approvals:decide',
  },
  'pending:settle': {
    allows: (identity) => hasScope(identity, 'pending:settle'),
    what: 'settle calls',
    lacks: 'pending:settle',
  },
  // A caller that may call only some tools has no business with the sessions of other tools.
  'sessions:keep': {
    allows: (identity) => mayCallAll(identity) || hasScope(identity, 'sessions:admin'),
    what: 'keep sessions',
    lacks: 'sessions:admin',
  },
  // Starting a backend may be costly, so it needs a scope wherever callers have scopes.
  'sessions:warm': {
    allows: (identity, settings) => settings.authenticators.length === 0 || hasScope(identity, 'sessions:admin'),
    what: 'start resources',
    lacks: 'sessions:admin',
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly allows: (identity: Identity, settings: ServerSettings) => boolean; readonly what: string; readonly lacks: string }
  >
>;

/** Names who may use a route. */
export type Scope = keyof typeof scopes;
