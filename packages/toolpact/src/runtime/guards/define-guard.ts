import { type OptionNames, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import { type Guard, type GuardDefinition, guardPhases } from '../../ports/index.ts';

const guardOptions: OptionNames<GuardDefinition> = {
  name: true,
  phase: true,
  provides: true,
  around: true,
  beforeApproval: true,
  once: true,
  wrapsExternalResults: true,
  tools: true,
  methods: true,
  limits: true,
};

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
  refuseOptions<GuardDefinition>(`the guard "${definition?.name}"`, definition, guardOptions);
  const { name, phase, around } = definition ?? {};
  if (typeof around !== 'function') throw new ToolpactError('invalid_definition', `the guard "${name}" needs an \`around\` function`);
  if (!guardPhases.includes(phase))
    throw new ToolpactError(
      'invalid_definition',
      `the guard "${name}" names the unknown phase "${phase}"; the phases are ${guardPhases.join(', ')}`,
      { guard: name },
    );
  return Object.freeze({ ...definition, '~guard': true });
}
