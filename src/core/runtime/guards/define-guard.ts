import {
  type ArrangedGuards,
  type Guard,
  type GuardDefinition,
  type GuardEngine,
  type GuardPhase,
  guardPhases,
} from '../../ports/index.ts';
import { createBatchBarrier } from './batch-barrier.ts';
import { guardMethods } from './guard-methods.ts';
import { runGuards } from './run-guards.ts';

/**
 * Makes a guard of your own: it names its phase and stands around calls.
 *
 * @example
 * const timed = defineGuard({
 *   name: 'timed',
 *   phase: 'run',
 *   async around(call, next) {
 *     const outcome = await next();
 *     console.log(call.tool.name, outcome.status);
 *     return outcome;
 *   },
 * });
 */
export function defineGuard<TMethods extends object>(definition: GuardDefinition<TMethods>): Guard<TMethods> {
  const { name, phase, around } = definition;
  if (typeof around !== 'function') throw new TypeError('a guard needs an `around` function');
  if (!guardPhases.includes(phase)) throw new TypeError(`the guard "${name}" names the unknown phase "${phase}"`);
  return Object.freeze({ ...definition, '~engine': engine });
}

const engine: GuardEngine = {
  arrange,
  run: runGuards as GuardEngine['run'],
  methods: guardMethods as GuardEngine['methods'],
  batchBarrier: createBatchBarrier,
};

function arrange(use: readonly Guard[]): ArrangedGuards {
  const sorted = [...use].sort((a, b) => guardPhases.indexOf(a.phase) - guardPhases.indexOf(b.phase));
  const isOuter = ({ phase }: Guard): boolean => outer.has(phase);
  return {
    outer: sorted.filter(isOuter),
    guards: sorted.filter((guard) => !isOuter(guard)),
    provides: new Set(use.flatMap(({ provides = [] }) => provides)),
    watched: use.some(({ phase }) => phase === 'journal'),
    hasApproval: use.some(({ phase }) => phase === 'policy' || phase === 'approval'),
  };
}

const outer: ReadonlySet<GuardPhase> = new Set(['journal', 'repeat']);
