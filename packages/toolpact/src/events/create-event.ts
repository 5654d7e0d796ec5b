import type { EventDraft, EventOf, ToolpactEvent } from './event.ts';

let prefix = '';
let count = 0;

/** Returns the next event id: a prefix drawn once per process, and a counter. */
export function createEventId(): string {
  // Drawn on first use, not on load: edge workers forbid randomness while a module loads.
  if (prefix === '') prefix = crypto.randomUUID();
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}

/** Stamps a draft with its version, an id and the time. */
export function createEvent<TDraft extends EventDraft>(
  draft: TDraft,
  stamp?: { readonly id?: string; readonly at?: number },
): EventOf<TDraft['type']> {
  const event: Pick<ToolpactEvent, 'v' | 'id' | 'at'> & TDraft = { v: 1, id: createEventId(), at: Date.now(), ...stamp, ...draft };
  return Object.freeze(event) as unknown as EventOf<TDraft['type']>;
}
