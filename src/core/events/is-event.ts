import type { ToolpactEvent } from './event.ts';

/** Tells whether a value can be an event at all, as far as whoever passes it on needs to know. */
export function isEvent(value: unknown): value is ToolpactEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
