import { isObject } from '../json/index.ts';
import type { ToolpactEvent } from './event.ts';

/** Checks whether a value looks like an event: an object with a `type`. */
export function isEvent(value: unknown): value is ToolpactEvent {
  return isObject(value) && 'type' in value && typeof value.type === 'string';
}
