import type { ClassifyHints } from '../../classify/index.ts';
import { isObject, type JsonObject, peek } from '../../json/index.ts';
import type { Call } from '../call.ts';
import type { ToolPlan } from '../tool-plan.ts';

type CallHints = Required<Pick<ClassifyHints, 'expose' | 'classify' | 'redactor' | 'stopped' | 'args' | 'params'>>;

/** Says how the errors of a call are read: as its tool states, or else its toolbox, and with its arguments. */
export function classifyHints({ plan, settings, redactor, isStopped, input, received }: Call): CallHints {
  return {
    expose: plan.expose ?? settings.expose,
    classify: plan.classify ?? settings.classify,
    redactor,
    stopped: isStopped,
    args: isObject(received) ? received : input,
    params: parametersOf(plan),
  };
}

/** The parameter names of a tool, listed when a call of it fails for the first time. */
const parameters = new WeakMap<ToolPlan, readonly string[]>();

function parametersOf(plan: ToolPlan): readonly string[] {
  let names = parameters.get(plan);
  if (names === undefined) {
    names = [...new Set(propertyNames(inputSchema(plan)))];
    parameters.set(plan, names);
  }
  return names;
}

/** A schema without a JSON form says nothing about its parameters. */
function inputSchema(plan: ToolPlan): JsonObject | undefined {
  try {
    return plan.schemas().input;
  } catch {
    return undefined;
  }
}

const deepest = 6;
const most = 100;

/** Lists the names of properties at any depth, also in the branches of a union. */
function propertyNames(schema: unknown, depth = 0): string[] {
  if (!isObject(schema) || depth > deepest) return [];
  const properties = peek(schema, 'properties');
  const own = isObject(properties) ? Object.keys(properties).slice(0, most) : [];
  const branches = ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', '$defs', 'additionalProperties'].flatMap((key) => {
    const branch = peek(schema, key);
    return key === '$defs' && isObject(branch) ? Object.values(branch) : branch;
  });
  return [
    ...own,
    ...[...own.map((name) => peek(properties, name)), ...branches].flatMap((branch) => propertyNames(branch, depth + 1)),
  ].slice(0, most);
}
