import { withoutAbsent } from '../../outcome/index.ts';
import type { Approval, ApprovalPageRequest, RecordKey, Store, StoredRecord } from '../../ports/index.ts';
import { demandOf, StoreFault } from '../store-access/ask-store.ts';
import { listRecords } from '../store-access/list-all.ts';

/** An approval together with the version of its record. */
export interface HeldApproval {
  readonly approval: Approval;
  readonly version: number;
}

/** Asks a store about approvals, and throws where it fails or does not answer. */
export const demand = demandOf('The approvals');

const unreadable = 'the store gave an approval that cannot be read here';

/** Records outlive the approvals in them, so that a late decision learns what happened. */
const keptMs = 86_400_000;

/** How many records are read at once. */
const step = 100;

/** What changes in an approval with its state; undefined for what goes. */
type ApprovalChange = Pick<Approval, 'state'> & { readonly [TName in keyof Approval]?: Approval[TName] | undefined };

/** The approvals of one tenant in a store. These throw when the store does: nothing may run on half an answer. */
export interface ApprovalRecords {
  readonly get: (handle: string) => Promise<HeldApproval | undefined>;
  /** Finds the newest approval of a call. */
  readonly findFor: (hash: string) => Promise<HeldApproval | undefined>;
  /** Stores a new approval as the newest of its call; false when another call was faster. */
  readonly open: (approval: Approval, instead: HeldApproval | undefined) => Promise<boolean>;
  /** Moves an approval on from the state it was seen in; undefined when another writer was faster. */
  readonly move: (from: HeldApproval, change: ApprovalChange) => Promise<HeldApproval | undefined>;
  /** Lists approvals in the order in which they were asked for, read from the store in small steps. */
  readonly list: (
    state: Approval['state'],
    isWanted: (approval: Approval) => boolean,
    page: ApprovalPageRequest,
  ) => Promise<readonly Approval[]>;
  /** Counts one more or one less that waits; gives how many do. The count starts anew after `windowMs`, when those counted have expired. */
  readonly count: (change: 1 | -1, windowMs: number) => Promise<number>;
}

/** Opens the approvals of one tenant. */
export function approvalRecords(store: Store, tenant: string): ApprovalRecords {
  const at = (handle: string): RecordKey => ({ space: 'approval', tenant, key: handle });
  const pointer = (hash: string): RecordKey => ({ space: 'approval-of', tenant, key: hash });
  const draft = (approval: Approval) => ({
    ...at(approval.handle),
    value: approval as never,
    group: approval.state,
    expiresAt: approval.expiresAt + keptMs,
  });

  async function get(handle: string): Promise<HeldApproval | undefined> {
    const held = readApproval(await store.get(at(handle)));
    if (held !== undefined && held.approval.handle !== handle) throw new StoreFault(unreadable);
    return held;
  }
  async function pointed(hash: string): Promise<{ readonly handle: string; readonly version: number } | undefined> {
    const record = await store.get(pointer(hash));
    const { v, handle } = (record?.value ?? {}) as { readonly v?: unknown; readonly handle?: unknown };
    if (record === undefined) return undefined;
    if (v !== 1 || typeof handle !== 'string') throw new StoreFault(unreadable);
    return { handle, version: record.version };
  }
  return {
    get,
    async findFor(hash) {
      const found = await pointed(hash);
      const held = found && (await get(found.handle));
      if (held !== undefined && held.approval.hash !== hash) throw new StoreFault(unreadable);
      return held;
    },
    async open(approval, instead) {
      await store.put(draft(approval), 0);
      const found = await pointed(approval.hash ?? '');
      const isStale = found !== undefined && found.handle === instead?.approval.handle;
      const record = { ...pointer(approval.hash ?? ''), value: { v: 1, handle: approval.handle }, expiresAt: approval.expiresAt + keptMs };
      const written = await store.put(record, isStale ? found.version : 0);
      if (!written.ok) await store.remove(at(approval.handle));
      return written.ok;
    },
    async move({ approval, version }, change) {
      const moved = withoutAbsent<Approval>({ ...approval, ...change });
      const written = await store.put(draft(moved), version);
      return written.ok ? { approval: moved, version: written.version } : undefined;
    },
    async list(state, isWanted, { limit = Number.POSITIVE_INFINITY, after: handle }) {
      const found: Approval[] = [];
      const last = handle === undefined ? undefined : await demand(() => store.get(at(handle)));
      // The last one of the page before may be gone; then the list starts from its beginning.
      let after = last?.seq;
      while (found.length < limit) {
        const query = { space: 'approval', tenant, group: state, after, limit: Math.min(limit, step) };
        const records = await demand(() => listRecords(store, query));
        const end = records.at(-1)?.seq;
        if (end === undefined) break;
        if (!(end > (after ?? Number.NEGATIVE_INFINITY))) throw new StoreFault('the store lists the same records again and again');
        after = end;
        const approvals = records.flatMap((record) => readApproval(record)?.approval ?? []).filter(isWanted);
        found.push(...approvals.slice(0, limit - found.length));
      }
      return found;
    },
    async count(change, windowMs) {
      const add = (amount: number) => store.add({ space: 'approvals-waiting', tenant, key: 'count' }, amount, windowMs);
      const { count } = await add(change);
      // Decisions about calls of an earlier window do not make room in this one.
      return count < 0 ? (await add(-count)).count : count;
    },
  };
}

const states: readonly unknown[] = ['waiting', 'approved', 'denied', 'used', 'expired'] satisfies readonly Approval['state'][];

/** Believes a record only if it holds an approval. */
function readApproval(record: StoredRecord | undefined): HeldApproval | undefined {
  if (record === undefined) return undefined;
  const approval = (record.value ?? {}) as unknown as Partial<Approval>;
  const { v, handle, hash, expiresAt, state } = approval;
  const isSound = v === 1 && handle === record.key && typeof hash === 'string' && typeof expiresAt === 'number';
  if (!isSound || !states.includes(state)) throw new StoreFault(unreadable);
  return { approval: approval as Approval, version: record.version };
}
