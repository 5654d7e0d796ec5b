/** Who asks. The tenant comes from here and from nowhere else: no header and no field of a body can change it. */
export interface Identity {
  readonly tenantId: string;
  /** The person or service behind the credential. */
  readonly subject?: string;
  /** Its permissions, see {@link mayCall} and {@link hasScope}. Without scopes it may call every tool and administer nothing. */
  readonly scopes?: readonly string[];
  /** Roles in the organisation, such as `finance`: a tool may require one for decisions about its calls. */
  readonly roles?: readonly string[];
  /** Names the credential; limits count by it. It is no secret. */
  readonly keyId?: string;
}

/** As much of a request as authentication may look at; a `Request` is one. */
export interface AuthRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly get: (name: string) => string | null };
}

/** Identifies the sender of a request; undefined when its credential is missing or wrong. It throws when authentication is unavailable. */
export type Authenticate = (request: AuthRequest) => Identity | undefined | Promise<Identity | undefined>;

/** A permission beyond calling tools. `admin` includes the others, `*` includes everything. */
export type AdminScope = 'admin' | 'approvals:decide' | 'pending:settle' | 'sessions:admin';

const callScope = 'tools:call:';
const adminScopes: readonly string[] = ['admin', 'approvals:decide', 'pending:settle', 'sessions:admin'] satisfies AdminScope[];

/** Gives the scopes that mean nothing to a server: a misspelt one would silently allow less than its author wanted. */
export function findUnknownScopes(scopes: readonly string[]): readonly string[] {
  const isKnown = (scope: string): boolean =>
    scope === '*' || adminScopes.includes(scope) || (scope.startsWith(callScope) && scope.length > callScope.length);
  return scopes.filter((scope) => !isKnown(scope));
}

/** Says which scopes there are, for messages about wrong ones. */
export const scopesNote = `scopes are *, tools:call:<tool>, tools:call:<resource>:*, tools:call:*, ${adminScopes.join(', ')}`;

/** Names who is behind a credential, for records of what they decided; empty where that is not known. */
export function namedBy({ subject, keyId }: Identity): { readonly by?: string } {
  const by = subject ?? keyId;
  return by === undefined ? {} : { by };
}

/** Checks whether an identity may call a tool: by `*`, `tools:call:*`, `tools:call:<name>`, or `tools:call:<resource>:*`. */
export function mayCall({ scopes }: Identity, tool: string): boolean {
  if (scopes === undefined) return true;
  for (const scope of scopes) if (allows(scope, tool)) return true;
  return false;
}

function allows(scope: string, tool: string): boolean {
  if (scope === '*') return true;
  if (!scope.startsWith(callScope)) return false;
  const allowed = scope.slice(callScope.length);
  return allowed === tool || allowed === '*' || (allowed.endsWith(':*') && tool.startsWith(allowed.slice(0, -1)));
}

/** Checks whether an identity may call every tool, also one that does not exist. */
export function mayCallAll({ scopes }: Identity): boolean {
  return scopes === undefined || scopes.includes('*') || scopes.includes(`${callScope}*`);
}

/** Checks whether an identity has one of the scopes that callers of tools do not have. */
export function hasScope({ scopes = [] }: { readonly scopes?: readonly string[] | undefined }, scope: AdminScope): boolean {
  return scopes.includes('*') || scopes.includes('admin') || scopes.includes(scope);
}
