import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnyTool } from '../../core/runtime/index.ts';
import type { FaultDraw } from './fault-plan.ts';
import { faultyRun, type ToolFault } from './fault-run.ts';

type Plan = AnyTool['~plan'];

/** Any toolbox, or a view of one. */
export interface AnyToolbox {
  readonly tools: readonly AnyTool[];
  readonly answer: (...words: never) => Promise<unknown>;
  readonly with: (context: never) => object;
}

/** The faults of the toolbox through which the present call came. */
const striking = new AsyncLocalStorage<FaultDraw<ToolFault> | undefined>();

/** The tools that look for such faults. A toolbox cannot be taken apart and put together again, and both views of it run the same tools. */
const looking = new WeakSet<Plan>();

/** Gives a view of a toolbox, with the same guards and settings, whose calls faults strike. The toolbox itself stays as it is. */
export function faultyToolbox<TToolbox extends AnyToolbox>(
  toolbox: TToolbox,
  draw: FaultDraw<ToolFault>,
  toFaulty: (tool: AnyTool) => AnyTool,
): TToolbox {
  for (const { '~plan': plan } of toolbox.tools) lookForFaults(plan);
  const tools = toolbox.tools.map(toFaulty);
  const view = (whole: object): object =>
    Object.freeze(
      Object.fromEntries(
        Object.entries(whole).map(([name, part]) => {
          if (name === 'tools') return [name, tools];
          if (typeof part !== 'function') return [name, part];
          const method = part as (...words: unknown[]) => unknown;
          if (name === 'with') return [name, (...words: unknown[]) => view(method(...words) as object)];
          return [name, (...words: unknown[]) => striking.run(draw, () => method(...words))];
        }),
      ),
    );
  return view(toolbox) as TToolbox;
}

function lookForFaults(plan: Plan): void {
  if (looking.has(plan)) return;
  looking.add(plan);
  const { name, run: own } = plan;
  // What a tool calls in turn did not come through the faulty toolbox.
  const run: Plan['run'] = (input, context) => striking.run(undefined, () => own(input, context));
  const output = (): ReturnType<Plan['schemas']>['output'] => plan.schemas().output;
  const diverted: Plan['run'] = (input, context) => {
    const draw = striking.getStore();
    return draw === undefined ? own(input, context) : faultyRun({ name, run, output }, draw)(input, context);
  };
  Object.assign(plan, { run: diverted });
}
