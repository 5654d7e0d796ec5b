import type { RecordKey, StoredRecord } from '../ports/index.ts';
import { decodeText } from './stored-text.ts';

/** A record as a database holds it. */
export interface StoredRow {
  readonly seq: number;
  readonly key: string;
  readonly grp: string | null;
  readonly version: number;
  readonly value: string;
  readonly expires_at: number | null;
}

/** Turns a row into the record it holds. */
export function toRecord({ space, tenant }: Omit<RecordKey, 'key'>, row: StoredRow): StoredRecord {
  return {
    space,
    tenant,
    key: decodeText(row.key),
    value: JSON.parse(row.value),
    ...(row.grp !== null && { group: decodeText(row.grp) }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    version: row.version,
    seq: row.seq,
  };
}
