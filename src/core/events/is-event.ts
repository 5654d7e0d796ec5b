import { isObject } from '../json/index.ts';
import type { ToolpactEvent } from './event.ts';

/** Tells whether a value can be an event at all, as far as whoever passes it on needs to know. */
export function isEvent(value: unknown): value is ToolpactEvent {
  return isObject(value) && 'type' in value && typeof value.type === 'string';
}
