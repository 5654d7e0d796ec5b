import type { JsonObject } from '../../outcome/index.ts';
import type { CallPlace, GrantQuery, NewGrant, Revoked, StoredGrant } from '../../ports/index.ts';
import { toWindowEnd } from '../retention.ts';
import { toRowLimit } from '../row-limits.ts';
import { encodeValue } from '../stored-text.ts';

/** The standing grants of a memory ledger. */
export interface MemoryGrants {
  /** Copies a grant that is to be given, and says how many characters it takes. */
  readonly keep: (grant: NewGrant) => KeptGrant;
  readonly give: (tenant: string, kept: KeptGrant, time: number) => void;
  /** Returns the first of these grants that counts. */
  readonly firstActive: (tenant: string, ids: readonly string[], time: number) => string | undefined;
  readonly use: (tenant: string, id: string, time: number) => void;
  readonly list: (query: GrantQuery, time: number) => readonly StoredGrant[];
  readonly revoke: (at: CallPlace, by: string | undefined, time: number) => Revoked;
  readonly records: () => number;
  readonly characters: () => number;
  readonly earliest: () => number;
  /** Forgets what is to be forgotten; gives how much that was. */
  readonly sweep: (time: number) => number;
  readonly clear: () => void;
}

export interface KeptGrant extends Omit<NewGrant, 'permit'> {
  readonly permit: string;
  readonly size: number;
}

interface MemoryGrant extends KeptGrant {
  readonly givenAt: number;
  readonly expiresAt: number;
  readonly keptUntil: number;
  uses: number;
  usedAt: number | undefined;
  revokedAt: number | undefined;
  revokedBy: string | undefined;
}

/** Creates the grants of a memory ledger. */
export function createMemoryGrants(): MemoryGrants {
  const tenants = new Map<string, Map<string, MemoryGrant>>();
  let [records, characters] = [0, 0];

  const drop = (tenant: string, { id, size }: MemoryGrant): void => {
    const grants = tenants.get(tenant);
    grants?.delete(id);
    if (grants?.size === 0) tenants.delete(tenant);
    records -= 1;
    characters -= size;
  };
  const find = (tenant: string, id: string, time: number): MemoryGrant | undefined => {
    const grant = tenants.get(tenant)?.get(id);
    if (grant === undefined || time < grant.keptUntil) return grant;
    drop(tenant, grant);
    return undefined;
  };
  const all = function* (): Generator<readonly [tenant: string, grant: MemoryGrant]> {
    for (const [tenant, grants] of tenants) for (const grant of grants.values()) yield [tenant, grant];
  };

  return {
    keep(grant) {
      const permit = encodeValue(grant.permit);
      return { ...grant, permit, size: grant.id.length + grant.tool.length + grant.scope.length + permit.length };
    },
    give(tenant, kept, time) {
      const expiresAt = toWindowEnd(time, kept.expiresMs);
      const grants = tenants.get(tenant) ?? new Map<string, MemoryGrant>();
      tenants.set(tenant, grants);
      grants.set(kept.id, {
        ...kept,
        givenAt: time,
        expiresAt,
        keptUntil: toWindowEnd(expiresAt, kept.keepMs),
        uses: 0,
        usedAt: undefined,
        revokedAt: undefined,
        revokedBy: undefined,
      });
      records += 1;
      characters += kept.size;
    },
    firstActive: (tenant, ids, time) =>
      ids.find((id) => {
        const grant = find(tenant, id, time);
        return grant !== undefined && isActive(grant, time);
      }),
    use(tenant, id, time) {
      const grant = find(tenant, id, time);
      if (grant === undefined) return;
      grant.uses += 1;
      grant.usedAt = time;
    },
    list({ tenant, tool, scopes, onlyActive = false, limit, after }, time) {
      if (after !== undefined && find(tenant, after, time) === undefined) return [];
      const kept = [...(tenants.get(tenant)?.values() ?? [])].filter(({ keptUntil }) => time < keptUntil);
      const start = after === undefined ? 0 : kept.findIndex(({ id }) => id === after) + 1;
      return kept
        .slice(start)
        .filter(
          (grant) =>
            (tool === undefined || grant.tool === tool) &&
            (scopes === undefined || scopes.includes(grant.scope)) &&
            (!onlyActive || isActive(grant, time)),
        )
        .slice(0, toRowLimit(limit))
        .map((grant) => toStoredGrant(tenant, grant, time));
    },
    revoke({ tenant, id }, by, time) {
      const grant = find(tenant, id, time);
      if (grant === undefined) return { is: 'unknown' };
      if (!isActive(grant, time)) return { is: 'over', grant: toStoredGrant(tenant, grant, time) };
      grant.revokedAt = time;
      grant.revokedBy = by;
      return { is: 'revoked', grant: toStoredGrant(tenant, grant, time) };
    },
    records: () => records,
    characters: () => characters,
    earliest: () => [...all()].reduce((earliest, [, { keptUntil }]) => Math.min(earliest, keptUntil), Number.POSITIVE_INFINITY),
    sweep(time) {
      const before = records;
      for (const [tenant, grant] of [...all()]) if (grant.keptUntil <= time) drop(tenant, grant);
      return before - records;
    },
    clear: () => tenants.clear(),
  };
}

function isActive({ revokedAt, expiresAt, uses, mostUses = Number.POSITIVE_INFINITY }: MemoryGrant, time: number): boolean {
  return revokedAt === undefined && time < expiresAt && uses < mostUses;
}

function toStoredGrant(tenant: string, grant: MemoryGrant, time: number): StoredGrant {
  const { id, tool, scope, permit, givenAt, expiresAt, uses, mostUses, usedAt, revokedAt, revokedBy } = grant;
  return {
    tenant,
    id,
    tool,
    scope,
    permit: JSON.parse(permit) as JsonObject,
    isActive: isActive(grant, time),
    givenAt,
    expiresAt,
    uses,
    ...(mostUses !== undefined && { mostUses }),
    ...(usedAt !== undefined && { usedAt }),
    ...(revokedAt !== undefined && { revokedAt }),
    ...(revokedBy !== undefined && { revokedBy }),
  };
}
