import { ToolpactError } from '../outcome/index.ts';
import { type Guard, guardPhases } from '../ports/index.ts';
import { type CallSettings, findInside } from '../runtime/index.ts';
import { arrangeGuards } from './arrange-guards.ts';

/**
 * Gives a finished toolbox with one more guard and its methods. The toolbox that was given stays as it is; both have the same listeners.
 * Throws for a guard that the toolbox has already.
 */
export function addGuard<TToolbox extends object>(toolbox: TToolbox, guard: Guard): TToolbox {
  return bind(toolbox, (settings) => {
    const arranged = arrangeGuards([...settings.use, guard]);
    // A dispatcher without listeners makes no events, and a journal keeps them.
    if (arranged.watched) settings.dispatcher.subscribe(() => undefined);
    return Object.freeze({ ...settings, ...arranged, watched: settings.watched || arranged.watched });
  });
}

/** Gives the same toolbox with one of its guards and those of the phases after it: what this guard sent elsewhere has passed the others. */
export function behindGuard<TToolbox extends object>(toolbox: TToolbox, { name, phase }: Pick<Guard, 'name' | 'phase'>): TToolbox {
  const isKept = (guard: Guard): boolean => guard.name === name || guardPhases.indexOf(guard.phase) > guardPhases.indexOf(phase);
  return bind(toolbox, (settings) => ({ ...settings, outer: [], guards: settings.guards.filter(isKept) }));
}

function bind<TToolbox extends object>(toolbox: TToolbox, change: (settings: CallSettings) => CallSettings): TToolbox {
  const inside = findInside(toolbox);
  if (inside === undefined) throw new ToolpactError('invalid_argument', 'guards can be changed only of a toolbox: createToolbox([…])');
  return inside.rebind(change) as TToolbox;
}
