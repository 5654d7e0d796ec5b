/** The facts that decide whether a session may end to make room for a new one. */
export interface EndableSession {
  readonly key: string;
  readonly tenantId: string | undefined;
  /** Requests and streams that are open; a session that has any is not idle. */
  readonly open: number;
  readonly usedAt: number;
}

/**
 * Chooses the session that ends for a new one; undefined when none may end. Idle ones of the same caller come first, then those of the tenant
 * with most sessions, and never those of a tenant that has fewer than the one that asks. A tenant below its share may end a busy session of
 * one above it.
 */
export function sessionToEnd<TSession extends EndableSession>(
  sessions: readonly TSession[],
  { key, tenantId }: { readonly key: string; readonly tenantId?: string | undefined },
  max: number,
): TSession | undefined {
  const sizes = new Map<string | undefined, number>();
  for (const { tenantId: one } of sessions) sizes.set(one, (sizes.get(one) ?? 0) + 1);
  const sizeOf = (tenant: string | undefined): number => sizes.get(tenant) ?? 0;
  const ownSize = sizeOf(tenantId);
  const share = max / (sizes.has(tenantId) ? sizes.size : sizes.size + 1);
  const mayEnd = ({ tenantId: theirs, open }: EndableSession): boolean =>
    open === 0 ? theirs === tenantId || sizeOf(theirs) > ownSize : ownSize + 1 <= share && sizeOf(theirs) > share;
  const [first] = sessions
    .filter(mayEnd)
    .sort(
      (a, b) =>
        Number(b.key === key) - Number(a.key === key) ||
        sizeOf(b.tenantId) - sizeOf(a.tenantId) ||
        Number(a.open > 0) - Number(b.open > 0) ||
        a.usedAt - b.usedAt,
    );
  return first;
}
