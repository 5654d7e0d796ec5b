import { ToolpactError } from '../../core/outcome/index.ts';
import { type RecordDraft, type RecordKey, type StoredRecord, secretSpace } from '../../core/ports/index.ts';

/** A record as a database holds it. */
export interface StoredRow {
  readonly seq: number;
  readonly key: string;
  readonly grp: string | null;
  readonly version: number;
  readonly value: string;
  readonly expires_at: number | null;
}

/** How long a store keeps records. */
export interface Retention {
  /** The longest any record is kept after its last write, also one that would stay. @default no limit */
  readonly retentionMs?: number | undefined;
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

/** Writes a value as text; throws where it is no JSON at all. */
export function encodeValue(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new ToolpactError('invalid_argument', 'A record needs a value that is JSON.');
  return text;
}

/**
 * Writes any text so that every database keeps it apart from all others: PostgreSQL refuses NUL, and half a surrogate pair would become
 * a replacement character. Plain text stays as it is.
 */
export function encodeText(text: string): string {
  return plain.test(text) ? text : JSON.stringify(text).slice(1, -1);
}

/** All but control characters, quotes, backslashes and surrogates. */
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Reads text that {@link encodeText} wrote. */
export function decodeText(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Throws for a retention that is not above 0. */
export function assertRetention({ retentionMs }: Retention): void {
  if (retentionMs !== undefined && (typeof retentionMs !== 'number' || !(retentionMs > 0)))
    throw new ToolpactError('invalid_option', 'retentionMs must be more than 0', { option: 'retentionMs' });
}

/** Gives the time at which a record written now expires; null for one that stays. */
export function toExpiry(
  { space, expiresAt }: Pick<RecordDraft, 'space' | 'expiresAt'>,
  { retentionMs = Number.POSITIVE_INFINITY }: Retention,
  now: number,
): number | null {
  const at = Math.min(expiresAt ?? Number.POSITIVE_INFINITY, space === secretSpace ? Number.POSITIVE_INFINITY : now + retentionMs);
  return at === Number.POSITIVE_INFINITY ? null : at;
}

/** Gives the time at which a window that begins now ends; a moment that every store can hold. */
export function toWindowEnd(now: number, windowMs: number): number {
  return Math.min(now + windowMs, Number.MAX_SAFE_INTEGER);
}

/** The number of records a query asks for, as every database takes it. */
export function toLimit(limit = 1000): number {
  return Math.max(0, Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER));
}
