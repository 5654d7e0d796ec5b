import { type AnyTool, defineTool, ToolpactError } from 'toolpact';
import { planOf } from 'toolpact/extend';
import { expectArgument, isObject } from 'toolpact/internal';
import { createFaultDraw, type FaultDraw, unknownTargets } from './fault-plan.ts';
import { checkToolFault, faultyRun, type ToolFault } from './fault-run.ts';
import { type FetchFault, faultyFetch } from './faulty-fetch.ts';
import { type AnyToolbox, faultyToolbox } from './faulty-toolbox.ts';

/**
 * Returns the same tool, tools, toolbox or `fetch` with injected faults: of every kind, at every phase, hanging, slow, dying, malformed, now and
 * then. The same seed strikes the same runs, whatever runs at the same time. Names, schemas, types and guards stay as they are, and so does
 * what was given. Throws at once for a plan that could never strike.
 *
 * @example
 * const flaky = withFaults(toolbox, [
 *   { tool: 'search', call: 2, kind: 'rate_limited', retryAfterMs: 10 },
 *   { tool: 'pay', call: 1, hang: true, at: 'after' },
 *   { rate: 0.2, kind: 'unreachable' },
 * ], 42);
 */
export function withFaults<TTool extends AnyTool>(tool: TTool, plan: ToolFault | readonly ToolFault[], seed?: number | string): TTool;
export function withFaults<const TTools extends readonly AnyTool[]>(
  tools: TTools,
  plan: ToolFault | readonly ToolFault[],
  seed?: number | string,
): TTools;
export function withFaults<TToolbox extends AnyToolbox>(
  toolbox: TToolbox,
  plan: ToolFault | readonly ToolFault[],
  seed?: number | string,
): TToolbox;
export function withFaults(fetch: typeof globalThis.fetch, plan: FetchFault | readonly FetchFault[], seed?: number | string): typeof fetch;
export function withFaults(
  subject: AnyTool | readonly AnyTool[] | AnyToolbox | typeof globalThis.fetch,
  plan: ToolFault | FetchFault | readonly (ToolFault | FetchFault)[],
  seed: number | string = 1,
): unknown {
  if (typeof subject === 'function') return faultyFetch(subject, plan as FetchFault, seed);
  if (!isObject(subject)) throw new ToolpactError('invalid_argument', 'faults are for a tool, tools, a toolbox or fetch');
  expectArgument(isObject(plan), 'withFaults takes what should fail, and one fault or an array of faults');
  const faults = [plan].flat() as readonly ToolFault[];
  const names = (Array.isArray(subject) ? subject : 'tools' in subject ? subject.tools : [subject]).map(({ name }: AnyTool) => name);
  for (const fault of faults) checkToolFault(fault);
  const [unknown] = unknownTargets(faults, names);
  if (unknown !== undefined)
    throw new ToolpactError('invalid_argument', `a fault is meant for "${unknown}", and there is no such tool`, { tool: unknown });
  const draw = createFaultDraw(faults, seed);
  const toFaulty = (tool: AnyTool): AnyTool => faultyTool(tool, draw);
  if (Array.isArray(subject)) return subject.map(toFaulty);
  return 'tools' in subject ? faultyToolbox(subject, draw, toFaulty) : toFaulty(subject as AnyTool);
}

/** Defines a tool once more, with another run. */
function faultyTool(tool: AnyTool, draw: FaultDraw<ToolFault>): AnyTool {
  const { name } = tool;
  const plan = planOf(tool);
  const stated = plan.guardOptions as unknown as Parameters<typeof defineTool>[0];
  const run = faultyRun({ name, run: stated.run as never, output: () => plan.schemas().output }, draw);
  return defineTool({ ...stated, run: run as never });
}
