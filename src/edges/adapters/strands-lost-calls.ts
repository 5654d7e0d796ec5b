import { toCarried } from './carried-arguments.ts';
import { type AdapterOptions, answerHost, type CallableToolbox } from './host-tools.ts';
import { type StrandsTool, toStrandsTool } from './strands-tool.ts';

/** A plugin for `plugins` of a Strands agent. */
export interface StrandsPlugin {
  readonly name: string;
  readonly initAgent: (agent: StrandsAgent) => Promise<void>;
}

/** What is used of an agent: the way into its stages. */
export interface StrandsAgent {
  readonly addMiddleware: (phase: never, change: never) => unknown;
}

/** What is used of `@strands-agents/sdk`: its stages are known by identity, so they must be its own. */
export interface StrandsStages {
  readonly ExecuteToolStage: { readonly Input: object };
  readonly InvokeModelStage: { readonly Input: object };
}

/** How lost calls are answered. */
export interface StrandsLostCallsOptions extends AdapterOptions {
  /** The module `@strands-agents/sdk`, where it cannot be imported by its name: in a bundle, or beside a second copy. */
  readonly sdk?: StrandsStages;
}

/**
 * Makes a plugin that brings those calls to the toolbox that Strands would not bring to a tool: names that no tool has, spelled in another
 * way or wrong, and arguments that are malformed (these would end the run), null or a list. Calls of other tools are left alone. The
 * arguments of a call are streamed in one piece, because they can only be judged as a whole.
 */
export function answerLostCalls(toolbox: CallableToolbox, options: StrandsLostCallsOptions = {}): StrandsPlugin {
  const { sdk, onOutcome, ...quiet } = options;
  const own = new Set(toolbox.list().map(({ providerName }) => providerName));
  const toStandIn = (name: string): StrandsTool => {
    const call: Parameters<typeof toStrandsTool>[0]['call'] = (args, host) => answerHost(toolbox, 'strands', quiet, { name, args }, host);
    return toStrandsTool({ name, description: '', effects: 'writes', inputSchema: { type: 'object' }, examples: [], call }, onOutcome);
  };
  return {
    name: 'toolpact:lost-calls',
    async initAgent(agent) {
      const { ExecuteToolStage, InvokeModelStage } = sdk ?? ((await import(/* @vite-ignore */ moduleName)) as StrandsStages);
      const findTool = (context: ToolCall): ToolCall => ({ ...context, tool: context.tool ?? toStandIn(context.toolUse.name) });
      const mendCalls = (context: ModelCall): ModelCall => {
        const others = new Set(context.toolSpecs?.map(({ name }) => name).filter((name) => !own.has(name)));
        return { ...context, model: mendModel(context.model, (name) => !others.has(name)) };
      };
      agent.addMiddleware(ExecuteToolStage.Input as never, findTool as never);
      agent.addMiddleware(InvokeModelStage.Input as never, mendCalls as never);
    },
  };
}

/** In a variable, so that compilers and bundlers do not look for what may not be there. */
const moduleName = '@strands-agents/sdk' as string;

interface ToolCall {
  readonly tool: unknown;
  readonly toolUse: { readonly name: string };
}

interface ModelCall {
  readonly model: Model;
  readonly toolSpecs?: readonly { readonly name: string }[];
}

interface Model {
  readonly stream: (...args: unknown[]) => AsyncIterable<StreamEvent>;
}

/** The events of a model's stream that make up calls. */
interface StreamEvent {
  readonly type: string;
  readonly start?: { readonly type: string; readonly name: string };
  readonly delta?: { readonly type: string; readonly input?: string };
}

/** Stands before a model and changes what it streams; all else is the model's own. */
function mendModel(model: Model, takes: (name: string) => boolean): Model {
  const stream = async function* (...args: unknown[]): AsyncGenerator<StreamEvent> {
    let held: string | undefined;
    for await (const event of model.stream(...args)) {
      if (event.start?.type === 'toolUseStart' && takes(event.start.name)) held = '';
      if (held !== undefined && event.delta?.type === 'toolUseInputDelta') {
        held += event.delta.input ?? '';
        continue;
      }
      if (held !== undefined && event.type === 'modelContentBlockStopEvent') {
        yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: toCarried(held) } };
        held = undefined;
      }
      yield event;
    }
  };
  return new Proxy(model, {
    get(target, key) {
      if (key === 'stream') return stream;
      const value: unknown = Reflect.get(target, key, target);
      // What puts the stream together must find the mended one; all other methods may read private fields, which a proxy does not have.
      return typeof value === 'function' && key !== 'streamAggregated' ? value.bind(target) : value;
    },
  });
}
