import { classify, type FailedItem, type ItemFailure, withoutAbsent } from '../../outcome/index.ts';
import type { Call } from '../call.ts';
import { effectOf } from './effect-of.ts';
import { readingOf } from './reading-of.ts';

/** Says of each item what went wrong with it; the items of a tool that writes are no safer to repeat than the tool. */
export function itemFailures(call: Call, failed: readonly FailedItem[]): readonly ItemFailure[] {
  const { redactor } = call.settings;
  const reading = readingOf(call);
  const { effect, unsafe } = effectOf(call);
  const { isStopped: stopped } = call;
  return Object.freeze(
    failed.map(({ index, id, error }) =>
      withoutAbsent<ItemFailure>({
        index: Number(index),
        id: id === undefined ? undefined : redactor.text(String(id)),
        error: classify(error, { redactor, ...reading, effect, unsafe, stopped }),
      }),
    ),
  );
}
