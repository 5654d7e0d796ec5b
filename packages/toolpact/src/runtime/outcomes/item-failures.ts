import { classify } from '../../classify/index.ts';
import { isObject, peek } from '../../json/index.ts';
import { type ItemFailure, withoutAbsent } from '../../outcome/index.ts';
import type { Call } from '../call.ts';
import { classifyHints } from './classify-hints.ts';
import { effectOf } from './effect-of.ts';

/**
 * Says of each item what went wrong with it; the items of a tool that writes are no safer to repeat than the tool. What is no item is left
 * out; one that does not say which it is counts by its place.
 */
export function itemFailures(call: Call, failed: readonly unknown[]): readonly ItemFailure[] {
  const { effect, unsafe, writes } = effectOf(call);
  const hints = { ...classifyHints(call), effect, unsafe, writes, during: 'run' } as const;
  return Object.freeze(
    failed.flatMap((item, place) => {
      if (!isObject(item)) return [];
      const index = peek(item, 'index');
      const id = peek(item, 'id');
      return withoutAbsent<ItemFailure>({
        index: isCount(index) ? index : place,
        id: id === undefined ? undefined : hints.redactor.text(id as string),
        error: classify(peek(item, 'error'), hints),
      });
    }),
  );
}

/** Checks whether a value can say how many. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
