import type { ModelDialect } from '../../runtime/index.ts';
import { callSteered, recognise } from '../frameworks/call-steered.ts';
import { fromCarried } from '../frameworks/carried-arguments.ts';
import { followProgress } from '../frameworks/follow-progress.ts';
import type { HostTool } from '../frameworks/host-tools.ts';
import { stopsRun } from '../frameworks/stops-run.ts';
import { type StrandsResult, toStrandsResult } from './result.ts';

/** A tool as a Strands agent takes it. */
export interface StrandsTool {
  readonly name: string;
  readonly description: string;
  /** The schema is the tool's whole JSON Schema. */
  readonly toolSpec: { name: string; description: string; inputSchema: { type: 'object' } };
  readonly stream: (context: StrandsToolContext) => AsyncGenerator<StrandsProgress, StrandsResult, undefined>;
}

/** The part of Strands's tool context that is read here. `options.context` gets all of it. */
export interface StrandsToolContext {
  readonly toolUse: { readonly name: string; readonly toolUseId: string; readonly input: unknown };
  readonly cancelSignal?: AbortSignal | undefined;
  readonly interrupt?: ((params: never) => never) | undefined;
  readonly agent?: { readonly messages?: readonly object[] } | undefined;
}

/** A `ToolStreamEvent` with the progress that a handler reported. */
export interface StrandsProgress {
  readonly type: 'toolStreamEvent';
  readonly data?: unknown;
}

/** Recognises what a handler may throw to steer Strands: an interrupt. All else that it throws is a failure and becomes an answer. */
export const isControlFlow = recognise(['InterruptError']);

/** Creates the Strands form of one tool. */
export function toStrandsTool({ name, description, inputSchema, call }: HostTool, dialect?: ModelDialect): StrandsTool {
  return {
    name,
    description,
    toolSpec: { name, description, inputSchema: inputSchema as { type: 'object' } },
    async *stream(context) {
      const { toolUseId, input } = context.toolUse;
      // The answer itself is added to the messages once its calls have ended.
      const turn = context.agent?.messages?.at(-1);
      const facts = { callId: toolUseId, run: context.agent, turn, signal: context.cancelSignal, host: context };
      const steps = followProgress((onProgress) =>
        callSteered((watched) => call(fromCarried(input), watched), { ...facts, onProgress }, isControlFlow),
      );
      let step = await steps.next();
      while (step.done !== true) {
        yield { type: 'toolStreamEvent', data: step.value };
        step = await steps.next();
      }
      if (stopsRun(step.value)) (context.agent as { cancel?: () => void } | undefined)?.cancel?.();
      return toStrandsResult(step.value, toolUseId, dialect);
    },
  };
}
