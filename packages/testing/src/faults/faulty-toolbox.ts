import type { AnyTool } from 'toolpact';
import { ToolpactError } from 'toolpact';
import { insideOf, type ToolPlan } from 'toolpact/extend';
import { type AsyncStorage, createAsyncStorage } from 'toolpact/internal';
import type { FaultDraw } from './fault-plan.ts';
import { faultyRun, type ToolFault } from './fault-run.ts';

/** Any toolbox, or a view of one. */
export interface AnyToolbox {
  readonly tools: readonly AnyTool[];
  readonly answer: (...words: never) => Promise<unknown>;
  readonly with: (context: never) => object;
}

type Striking = AsyncStorage<readonly FaultDraw<ToolFault>[]>;

let storage: Striking | undefined;

/** Knows the faults of the toolboxes through which the present call came, the outermost first. Made when needed, so that all else here runs in a browser too. */
function striking(): Striking {
  storage ??= createAsyncStorage();
  if (storage === undefined)
    throw new ToolpactError(
      'invalid_argument',
      'faults for a toolbox need node:async_hooks, which is not here; give them to its tools instead',
    );
  return storage;
}

/** The tools that look for such faults. A toolbox cannot be taken apart and put together again, and both views of it run the same tools. */
const looking = new WeakSet<ToolPlan>();

/** Returns a view of a toolbox, with the same guards and settings, whose calls faults strike. The toolbox itself stays as it is. */
export function faultyToolbox<TToolbox extends AnyToolbox>(
  toolbox: TToolbox,
  draw: FaultDraw<ToolFault>,
  toFaulty: (tool: AnyTool) => AnyTool,
): TToolbox {
  const present = striking();
  for (const plan of insideOf(toolbox).plans.values()) lookForFaults(plan);
  const tools = toolbox.tools.map(toFaulty);
  const view = (whole: object): object =>
    Object.freeze(
      Object.fromEntries(
        Reflect.ownKeys(whole).map((name) => {
          const part: unknown = whole[name as keyof typeof whole];
          if (name === 'tools') return [name, tools];
          if (typeof part !== 'function') return [name, part];
          const method = part as (...words: unknown[]) => unknown;
          if (name === 'with') return [name, (...words: unknown[]) => view(method(...words) as object)];
          return [name, (...words: unknown[]) => present.run([...(present.getStore() ?? []), draw], () => method(...words))];
        }),
      ),
    );
  return view(toolbox) as TToolbox;
}

function lookForFaults(plan: ToolPlan): void {
  if (looking.has(plan)) return;
  looking.add(plan);
  const { name, run: own } = plan;
  const output = (): ReturnType<ToolPlan['schemas']>['output'] => plan.schemas().output;
  const diverted: ToolPlan['run'] = (input, context) => {
    const draws = striking().getStore() ?? [];
    if (draws.length === 0) return own(input, context);
    // The calls that a tool makes in turn did not come through the faulty toolbox.
    const inner: ToolPlan['run'] = (given, within) => striking().run([], () => own(given, within));
    return draws.reduceRight<ToolPlan['run']>((run, draw) => faultyRun({ name, run, output }, draw), inner)(input, context);
  };
  Object.assign(plan, { run: diverted });
}
