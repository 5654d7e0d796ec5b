import { isRecord } from '../json/index.ts';
import type { JsonObject, JsonValue, Outcome } from '../outcome/index.ts';
import { readOutcome } from './reading/read-outcome.ts';
import { broken, missing, type Path, wrong } from './reading/undecodable.ts';

/** The key under which envelopes carry what their documented fields cannot. */
export const extensionKey = '_toolpact';

/** The large parts of an outcome, which most formats have a place for. */
export type Held = 'data' | 'fallback' | 'input';

const none: readonly Held[] = [];

/**
 * Writes the block from which an outcome is read back: the outcome itself, without the parts that the envelope's documented fields hold
 * unchanged. Those are read from there, by the format's own hints if need be, so results do not travel twice and what a middleman
 * redacts stays redacted.
 */
export function extension(outcome: Outcome, held: readonly Held[] = none, hints?: JsonObject): JsonObject {
  const block: Record<string, unknown> = { v: 1 };
  for (const key of Object.keys(outcome)) {
    const part = outcome[key as keyof Outcome];
    if (part !== undefined && !held.includes(key as Held)) block[key] = part;
  }
  if (outcome.status !== 'error' && outcome.status !== 'pending' && outcome.data === undefined) block.data = null;
  if (held.length > 0) block.held = held;
  if (hints !== undefined) Object.assign(block, hints);
  return block as JsonObject;
}

/** Checks whether a block was written by a version that this one does not understand. */
export function isNewer(block: JsonValue | undefined): boolean {
  return isRecord(block) && typeof block.v === 'number' && block.v > 1;
}

/** Reads an outcome back from its block and the parts that the envelope holds. */
export function readExtension(block: JsonValue, path: Path, part: (held: Held) => JsonValue | undefined): Outcome {
  if (!isRecord(block)) return wrong(path, 'an object', block);
  if (block.v === undefined) return missing([...path, 'v'], 'the number 1');
  if (block.v !== 1) return wrong([...path, 'v'], 'the number 1', block.v);
  const { held, ...rest } = block;
  if (held === undefined) return readOutcome(block, path);
  if (!Array.isArray(held)) return wrong([...path, 'held'], 'an array', held);
  const whole: Record<string, JsonValue> = rest;
  for (const key of held as readonly JsonValue[]) {
    if (key !== 'data' && key !== 'fallback' && key !== 'input') return wrong([...path, 'held'], 'a list of data, fallback and input', key);
    if (Object.hasOwn(rest, key)) return broken([...path, key], `${[...path, key].join('.')} is there although the envelope holds it`);
    const found = part(key);
    if (found === undefined)
      return broken([...path, 'held'], `the envelope does not hold ${key}, though its ${path.join('.')} block says so`);
    whole[key] = found;
  }
  return readOutcome(whole, path);
}
