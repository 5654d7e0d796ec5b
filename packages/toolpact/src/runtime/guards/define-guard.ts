import { peek } from '../../json/index.ts';
import { type OptionNames, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import { type Guard, type GuardPhase, guardPhases } from '../../ports/index.ts';

const guardOptions: OptionNames<Guard> = {
  name: true,
  phase: true,
  provides: true,
  around: true,
  once: true,
  engine: 'an object',
  wrapsExternalResults: true,
  methods: true,
  limits: true,
};

/**
 * Defines a guard, which runs around calls in its phase.
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
export function defineGuard<TMethods extends object>(guard: Guard<TMethods>): Guard<TMethods> {
  refuseOptions<Guard>(`the guard "${guard?.name}"`, guard, guardOptions);
  const { name, phase, around } = guard ?? {};
  if (typeof around !== 'function') throw new ToolpactError('invalid_definition', `the guard "${name}" needs an \`around\` function`);
  if (!guardPhases.includes(phase))
    throw new ToolpactError(
      'invalid_definition',
      `the guard "${name}" names the unknown phase "${phase}"; the phases are ${guardPhases.join(', ')}`,
      { guard: name },
    );
  return Object.freeze({ ...guard });
}

/** Checks whether a value can stand around calls. */
export function isGuard(value: unknown): value is Guard {
  return typeof peek(value, 'around') === 'function' && guardPhases.includes(peek(value, 'phase') as GuardPhase);
}
