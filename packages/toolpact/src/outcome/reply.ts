import type { JsonObject } from '../json/index.ts';
import type { FailureKind } from './catalogue.ts';
import type { Content, Pending } from './outcome.ts';
import { type FailOptions, replyBrand, ToolFailure } from './tool-failure.ts';

/** Facts a handler may add to its result. */
export interface OkOptions {
  readonly message?: string;
  readonly content?: readonly Content[];
  readonly tokenUsage?: Readonly<Record<string, number>>;
  readonly sourceCounts?: Readonly<Record<string, number>>;
  readonly routing?: JsonObject;
  readonly resourceType?: string;
  readonly cacheHit?: boolean;
  readonly warnings?: readonly string[];
  /** Says that nothing was found and that this is not a failure. */
  readonly empty?: boolean | string;
  /** Says that the goal was already reached, for example `'already_exists'`. */
  readonly noop?: boolean | string;
}

/** A handler's result with facts about it; only the runtime turns it into an outcome. */
export interface OkReply<TData> {
  readonly status: 'ok';
  readonly data: TData;
  readonly options: OkOptions;
}

/** An item that failed: which one, and what was thrown or made by `fail`. */
type FailedItem = {
  readonly index: number;
  readonly id?: string;
  readonly error: unknown;
};

/** A handler's result of which some items failed. */
export interface PartialReply<TData> {
  readonly status: 'partial';
  readonly data: TData;
  readonly failed: readonly FailedItem[];
  readonly total: number;
  readonly options: OkOptions;
}

/** A handler's promise to answer later. */
export interface PendingReply {
  readonly status: 'pending';
  readonly pending: Pending;
  readonly message?: string;
}

/** Anything a handler may return instead of bare data. */
export type Reply<TData> = OkReply<TData> | PartialReply<TData> | PendingReply | ToolFailure;

/** Returns data together with facts about it. */
export function ok<TData>(data: TData, options?: OkOptions): OkReply<TData> {
  return branded({ status: 'ok' as const, data, options: options ?? {} });
}

/** Creates a failure for a handler to throw or to return; both mean the same. */
export function fail<const TCode extends string = never>(
  kind: FailureKind,
  message: string,
  options?: FailOptions<TCode>,
): ToolFailure<TCode> {
  return new ToolFailure(kind, message, options);
}

/** Returns data of which some items failed. `total` defaults to the failed items plus the length of array data. */
export function partial<TData>(
  data: TData,
  failed: readonly FailedItem[],
  options?: OkOptions & { readonly total?: number },
): PartialReply<TData> {
  const items = failed ?? [];
  const { total = items.length + (Array.isArray(data) ? data.length : 1), ...rest } = options ?? {};
  return branded({ status: 'partial' as const, data, failed: items, total, options: rest });
}

/** Answers now and promises the result for later. */
export function pending(pending: Pending, options: { readonly message?: string } = {}): PendingReply {
  return branded({ status: 'pending' as const, pending, ...options });
}

/** Recognises a reply made by `ok`, `partial`, `pending` or `fail`, also by another copy of this package. */
export function isReply(value: object): value is Reply<unknown> {
  return replyBrand in value;
}

/** Marks a reply as one. */
function branded<TReply extends object>(reply: TReply): TReply {
  return Object.defineProperty(reply, replyBrand, { value: true });
}
