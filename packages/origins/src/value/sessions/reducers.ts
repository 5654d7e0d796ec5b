import type { EventOf, Outcome, ToolpactEvent } from 'toolpact';
import type { Change } from './change.ts';

/** Turns an event into a change of a slice, or undefined for none. `items` reads what the slice holds. */
export type Reducer<TItem, TEvent extends ToolpactEvent = ToolpactEvent> = (
  event: TEvent,
  items: () => readonly TItem[],
) => Change<TItem> | undefined;

/** A reducer that looks at the event alone. */
type EventReducer<TItem, TEvent extends ToolpactEvent> = (event: TEvent) => Change<TItem> | undefined;

/** Picks what is to be kept of an event: one item, several, or nothing. */
export type Select<TItem, TEvent extends ToolpactEvent> = (event: TEvent) => TItem | readonly TItem[] | undefined;

/** Appends what is selected. */
export function append<TItem, TEvent extends ToolpactEvent>(select: Select<TItem, TEvent>): EventReducer<TItem, TEvent> {
  return (event) => {
    const items = toItems<TItem>(select(event));
    return items.length === 0 ? undefined : { op: 'append', items };
  };
}

/** Puts the selected item in the place of the one with the same key, or at the end. The slice needs a `key`. */
export function upsert<TItem, TEvent extends ToolpactEvent>(select: (event: TEvent) => TItem | undefined): EventReducer<TItem, TEvent> {
  return (event) => {
    const item = select(event);
    return item === undefined ? undefined : { op: 'upsert', item };
  };
}

/** Puts the selected item in the place of the latest one. */
export function replaceLatest<TItem, TEvent extends ToolpactEvent>(
  select: (event: TEvent) => TItem | undefined,
): EventReducer<TItem, TEvent> {
  return (event) => {
    const item = select(event);
    return item === undefined ? undefined : { op: 'replaceLatest', item };
  };
}

/** Empties the slice, always or when the event asks for it. */
export function clear<TItem, TEvent extends ToolpactEvent>(when: (event: TEvent) => boolean = () => true): EventReducer<TItem, TEvent> {
  return (event) => (when(event) ? { op: 'clear' } : undefined);
}

/** A tool, as far as its results are concerned. */
export interface ToolWithResults<TData> {
  readonly name: string;
  readonly call: (...args: never) => Promise<Outcome<TData>>;
}

/** Selects the results of one tool, typed by the tool; failed calls give nothing. */
export function resultsOf<TData>(tool: ToolWithResults<TData>): (event: EventOf<'call-end'>) => TData | undefined;
export function resultsOf<TData, TItem>(
  tool: ToolWithResults<TData>,
  pick: (data: TData, event: EventOf<'call-end'>) => TItem,
): (event: EventOf<'call-end'>) => TItem | undefined;
export function resultsOf<TData>(
  tool: ToolWithResults<TData>,
  pick: (data: TData, event: EventOf<'call-end'>) => unknown = (data) => data,
): (event: EventOf<'call-end'>) => unknown {
  return (event) => {
    const { outcome } = event;
    if (event.tool !== tool.name || (outcome.status !== 'ok' && outcome.status !== 'partial')) return undefined;
    return pick(outcome.data as TData, event);
  };
}

function toItems<TItem>(selected: TItem | readonly TItem[] | undefined): readonly TItem[] {
  if (selected === undefined) return [];
  return Array.isArray(selected) ? selected : [selected as TItem];
}
