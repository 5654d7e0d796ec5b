import type { RecordKey, StoredRecord } from '../ports/index.ts';

/** A record as a database holds it. */
export interface StoredRow {
  readonly version: number;
  readonly value: string;
  readonly expires_at: number | null;
}

/** Turns a row into the record it holds. */
export function toRecord({ space, tenant, key }: RecordKey, row: StoredRow): StoredRecord {
  return {
    space,
    tenant,
    key,
    value: JSON.parse(row.value),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    version: row.version,
  };
}
