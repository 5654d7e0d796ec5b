import type { CallContext, ToolpactEvent } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import { insideKey, isRecord } from 'toolpact/internal';
import type { ServedToolbox } from '../server-options.ts';

/** A toolbox whose tools can be replaced while it is served. */
export interface LiveToolbox {
  readonly toolbox: ServedToolbox;
  /** Makes every later call in this toolbox; calls that run go on where they began. */
  readonly replace: (next: ServedToolbox) => void;
}

type Listener = (event: ToolpactEvent) => unknown;
type Parts = Readonly<Record<string, unknown>>;

/** Creates a toolbox that stands for another one, and then for whichever takes its place. Both must have the same store and guards. */
export function createLiveToolbox(first: ServedToolbox): LiveToolbox {
  let current = first;
  const stops = new Map<Listener, (() => void)[]>();

  /** Stands for the current toolbox, seen with a context. */
  function standFor(find: () => ServedToolbox): ServedToolbox {
    return {
      ...delegate(first, () => find() as object as Parts),
      get tools() {
        return find().tools;
      },
      get [insideKey]() {
        return insideOf(find());
      },
      subscribe(listener: Listener) {
        stops.set(listener, [current.subscribe(listener)]);
        return () => {
          for (const stop of stops.get(listener) ?? []) stop();
          stops.delete(listener);
        };
      },
      with(context: CallContext<never>) {
        let seen: { readonly toolbox: ServedToolbox; readonly view: ServedToolbox } | undefined;
        return standFor(() => {
          const toolbox = find();
          if (seen?.toolbox !== toolbox) seen = { toolbox, view: toolbox.with(context) };
          return seen.view;
        });
      },
    } as object as ServedToolbox;
  }

  return {
    toolbox: standFor(() => current),
    replace(next) {
      current = next;
      // Calls that began before are heard to their end.
      for (const [listener, stop] of stops) stop.push(next.subscribe(listener));
    },
  };
}

/** Returns the methods of an object, and of the objects in it, as those that another one has at the time of the call. Lists and values are left out. */
function delegate(like: object, find: () => Parts | undefined): object {
  const parts = Object.entries(like).flatMap(([name, part]): [string, unknown][] => {
    if (typeof part === 'function') return [[name, (...given: unknown[]) => (find()?.[name] as typeof part | undefined)?.(...given)]];
    return isRecord(part) ? [[name, delegate(part, () => find()?.[name] as Parts | undefined)]] : [];
  });
  return Object.fromEntries(parts);
}
