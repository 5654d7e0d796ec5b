import type { CallKeeping } from '../calls/index.ts';
import { ToolpactError } from '../outcome/index.ts';
import { type Guard, type GuardPhase, guardPhases, type Promised } from '../ports/index.ts';
import { type AnyTool, type ArrangedGuards, planOf, toGuardedTool } from '../runtime/index.ts';

/** Sorts guards into the order of their phases. Throws for a guard that is given twice and may not be. */
export function arrangeGuards(use: readonly Guard[], keeping?: CallKeeping): ArrangedGuards {
  checkDoubled(use);
  const sorted = [...use].sort((a, b) => guardPhases.indexOf(a.phase) - guardPhases.indexOf(b.phase));
  const isOuter = ({ phase }: Guard): boolean => outerPhases.has(phase);
  return {
    use,
    outer: sorted.filter(isOuter),
    guards: sorted.filter((guard) => !isOuter(guard)),
    provides: new Set([...use.flatMap(({ provides = [] }) => provides), ...(keeping === undefined ? [] : allPromises)]),
    keeping,
    watched: use.some(({ phase }) => phase === 'list'),
    hasApproval: use.some(({ phase }) => phase === 'policy' || phase === 'remember' || phase === 'approval'),
  };
}

/** A store keeps all promises but the retries, which need none. */
const allPromises: readonly Promised[] = ['idempotency', 'reconcile', 'cache', 'deferAfterMs', 'approval'];

const outerPhases: ReadonlySet<GuardPhase> = new Set(['list', 'repeat']);

/** Adds the tools that a store brings, behind the others. A tool of the author's own with the same name counts. */
export function addStoreTools(tools: readonly AnyTool[], { keeping }: ArrangedGuards): readonly AnyTool[] {
  const given = tools.map((tool) => toGuardedTool(planOf(tool)));
  const added = ((keeping as CallKeeping | undefined)?.toolsFor(given) ?? []) as readonly AnyTool[];
  return [...tools, ...added.filter(({ name }) => !given.some((tool) => tool.name === name))];
}

/** Two guards that retry would make nine attempts of three. */
function checkDoubled(use: readonly Guard[]): void {
  for (const [index, guard] of use.entries()) {
    const isDoubled = use.slice(0, index).some((other) => other === guard || (guard.once === true && other.name === guard.name));
    if (isDoubled) throw new ToolpactError('duplicate_name', `the guard "${guard.name}" is given twice in \`use\``, { guard: guard.name });
  }
}
