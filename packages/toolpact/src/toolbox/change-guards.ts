import { type CallsOptions, createCallKeeping } from '../calls/index.ts';
import { ToolpactError } from '../outcome/index.ts';
import { type Guard, guardPhases, type Store } from '../ports/index.ts';
import { type CallSettings, findInside } from '../runtime/index.ts';
import { arrangeGuards } from './arrange-guards.ts';

/** Returns a finished toolbox that has no store with one, in which its calls are remembered. The toolbox that was given stays as it is. */
export function addStore<TToolbox extends object>(toolbox: TToolbox, store: Store, calls: CallsOptions = {}): TToolbox {
  return bind(toolbox, (settings) => {
    const keeping = createCallKeeping(store, calls, {}, false);
    const arranged = arrangeGuards([...keeping.guards, ...settings.use], keeping);
    // A dispatcher without listeners makes no events, and a list of calls keeps them.
    settings.dispatcher.subscribe(() => undefined);
    return Object.freeze({ ...settings, ...arranged, watched: true });
  });
}

/** Returns the same toolbox with one of its guards and those of the phases after it: what this guard sent elsewhere has passed the others. */
export function behindGuard<TToolbox extends object>(toolbox: TToolbox, { name, phase }: Pick<Guard, 'name' | 'phase'>): TToolbox {
  const isKept = (guard: Guard): boolean => guard.name === name || guardPhases.indexOf(guard.phase) > guardPhases.indexOf(phase);
  return bind(toolbox, (settings) => ({ ...settings, outer: [], guards: settings.guards.filter(isKept) }));
}

function bind<TToolbox extends object>(toolbox: TToolbox, change: (settings: CallSettings) => CallSettings): TToolbox {
  const inside = findInside(toolbox);
  if (inside === undefined) throw new ToolpactError('invalid_argument', 'guards can be changed only of a toolbox: createToolbox([…])');
  return inside.rebind(change) as TToolbox;
}
