import { ToolpactError } from '../../outcome/index.ts';
import type { Guard } from '../../ports/index.ts';
import type { CallSettings } from '../tool-plan.ts';

/** A finished toolbox whose settings can be changed for a new view of it. */
interface Bindable {
  readonly '~bind'?: (change: (settings: CallSettings) => CallSettings) => unknown;
}

/**
 * Gives a finished toolbox with one more guard and its methods. The toolbox that was given stays as it is; both have the same listeners.
 * Throws for a guard that the toolbox has already.
 */
export function addGuard<TToolbox extends object>(toolbox: TToolbox, guard: Guard): TToolbox {
  const { runner } = guard;
  const bind = (toolbox as Bindable)['~bind'];
  if (bind === undefined) throw new ToolpactError('invalid_argument', 'a guard can be added only to a toolbox: createToolbox([…])');
  return bind((settings) => {
    const arranged = runner.arrange([...(settings.use ?? []), guard]);
    // A dispatcher without listeners makes no events, and a journal keeps them.
    if (arranged.watched) settings.dispatcher.subscribe(() => undefined);
    return Object.freeze({ ...settings, ...arranged, runner, watched: settings.watched || arranged.watched });
  }) as TToolbox;
}
