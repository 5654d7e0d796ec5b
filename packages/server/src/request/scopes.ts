import { hasScope, type Identity, mayCallAll } from '../auth/identity.ts';
import type { ServerSettings } from '../check-options.ts';

/** Who may use a route besides everybody with a credential: what is asked of the caller, and what a refusal says. */
export const scopes = {
  open: { allows: () => true, message: '' },
  admin: {
    allows: (identity) => hasScope(identity, 'admin'),
    message: 'This credential may not stop the server: it lacks the scope admin.',
  },
  'approvals:decide': {
    allows: (identity) => hasScope(identity, 'approvals:decide'),
    message: 'This credential may not decide about calls: it lacks the scope approvals:decide.',
  },
  'pending:settle': {
    allows: (identity) => hasScope(identity, 'pending:settle'),
    message: 'This credential may not settle calls: it lacks the scope pending:settle.',
  },
  // A caller that may call only some tools has no business with the sessions of other tools.
  'sessions:keep': {
    allows: (identity) => mayCallAll(identity) || hasScope(identity, 'sessions:admin'),
    message: 'This credential may not keep sessions: it may call some tools only, and lacks the scope sessions:admin.',
  },
  // Starting a backend may be costly, so it needs a scope wherever callers have scopes.
  'sessions:warm': {
    allows: (identity, settings) => settings.authenticators.length === 0 || hasScope(identity, 'sessions:admin'),
    message: 'This credential may not start resources: it lacks the scope sessions:admin.',
  },
} as const satisfies Readonly<
  Record<string, { readonly allows: (identity: Identity, settings: ServerSettings) => boolean; readonly message: string }>
>;

/** Names who may use a route. */
export type Scope = keyof typeof scopes;
