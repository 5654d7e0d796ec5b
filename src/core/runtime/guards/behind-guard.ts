import { type Guard, guardPhases } from '../../ports/index.ts';
import type { CallSettings } from '../tool-plan.ts';

interface Bindable {
  readonly '~bind'?: (change: (settings: CallSettings) => CallSettings) => unknown;
}

/** Gives the same toolbox with one of its guards and those of the phases after it: what this guard sent elsewhere has passed the others. */
export function behindGuard<TToolbox extends object>(toolbox: TToolbox, { name, phase }: Pick<Guard, 'name' | 'phase'>): TToolbox {
  const isKept = (guard: Guard): boolean => guard.name === name || guardPhases.indexOf(guard.phase) > guardPhases.indexOf(phase);
  return (toolbox as Bindable)['~bind']?.((settings) => ({
    ...settings,
    outer: [],
    guards: settings.guards.filter(isKept),
  })) as TToolbox;
}
