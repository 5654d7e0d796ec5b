import { type Guard, type GuardPhase, guardPhases } from '../../ports/index.ts';
import type { ArrangedGuards } from './guard-state.ts';

/** Sorts guards into the order of their phases. */
export function arrangeGuards(use: readonly Guard[]): ArrangedGuards {
  const sorted = [...use].sort((a, b) => guardPhases.indexOf(a.phase) - guardPhases.indexOf(b.phase));
  const isOuter = ({ phase }: Guard): boolean => outerPhases.has(phase);
  return {
    outer: sorted.filter(isOuter),
    guards: sorted.filter((guard) => !isOuter(guard)),
    provides: new Set(use.flatMap(({ provides = [] }) => provides)),
    watched: use.some(({ phase }) => phase === 'journal'),
    hasApproval: use.some(({ phase }) => phase === 'policy' || phase === 'approval'),
  };
}

const outerPhases: ReadonlySet<GuardPhase> = new Set(['journal', 'repeat']);
