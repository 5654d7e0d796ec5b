import type { Progress } from '../../core/contract/index.ts';
import type { Failure, Outcome } from '../../core/outcome/index.ts';
import { causeOf } from '../../core/runtime/index.ts';
import { fromCarried } from './carried-arguments.ts';
import type { AdapterOptions, HostTool } from './host-tools.ts';
import { type StrandsResult, toStrandsResult } from './strands-result.ts';

/** A tool as a Strands agent takes it. */
export interface StrandsTool {
  readonly name: string;
  readonly description: string;
  /** The schema is the tool's whole JSON Schema. */
  readonly toolSpec: { name: string; description: string; inputSchema: { type: 'object' } };
  readonly stream: (context: StrandsToolContext) => AsyncGenerator<StrandsProgress, StrandsResult, undefined>;
}

/** What is read of the context that Strands hands to its tools. `options.context` is given all of it. */
export interface StrandsToolContext {
  readonly toolUse: { readonly name: string; readonly toolUseId: string; readonly input: unknown };
  readonly cancelSignal?: AbortSignal | undefined;
  readonly interrupt?: ((params: never) => never) | undefined;
}

/** A `ToolStreamEvent` with the progress that a handler reported. */
export interface StrandsProgress {
  readonly type: 'toolStreamEvent';
  readonly data?: unknown;
}

/** What a handler may throw to steer Strands, by name. All else that it throws is a failure and becomes an answer. */
export const controlFlow = ['InterruptError'] as const;

const names: ReadonlySet<unknown> = new Set(controlFlow);

/** Recognises what steers Strands: an interrupt. */
export function isControlFlow(thrown: unknown): thrown is Error {
  return thrown instanceof Error && names.has(thrown.name);
}

/** Makes the Strands form of one tool. `onOutcome` is told here, because only here it is known what was a signal. */
export function toStrandsTool({ name, description, inputSchema, call }: HostTool, onOutcome: AdapterOptions['onOutcome']): StrandsTool {
  return {
    name,
    description,
    toolSpec: { name, description, inputSchema: inputSchema as { type: 'object' } },
    async *stream(context) {
      const { toolUseId, input } = context.toolUse;
      const updates: Progress[] = [];
      let wake = (): void => undefined;
      let ended: Outcome | undefined;
      const onProgress = (progress: Progress): void => {
        updates.push(progress);
        wake();
      };
      const { host, interrupted } = watchInterrupt(context);
      const running = call(fromCarried(input), { callId: toolUseId, signal: context.cancelSignal, onProgress, host });
      void running.then((outcome) => {
        ended = outcome;
        wake();
      });
      for (;;) {
        const data = updates.shift();
        if (data !== undefined) yield { type: 'toolStreamEvent', data };
        else if (ended !== undefined) break;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      const signal = ended.status === 'error' ? (interrupted() ?? controlFlowOf(ended.error)) : undefined;
      if (signal !== undefined) throw signal;
      await tell(onOutcome, ended);
      return toStrandsResult(ended, toolUseId);
    },
  };
}

/** Notes the interrupt that a handler was stopped by: what comes of the call keeps only small errors as they were. */
function watchInterrupt(context: StrandsToolContext): { readonly host: StrandsToolContext; readonly interrupted: () => unknown } {
  const { interrupt } = context;
  let thrown: unknown;
  if (interrupt === undefined) return { host: context, interrupted: () => undefined };
  const watched = (params: never): never => {
    try {
      return interrupt(params);
    } catch (signal) {
      thrown = signal;
      throw signal;
    }
  };
  return { host: { ...context, interrupt: watched }, interrupted: () => thrown };
}

function controlFlowOf({ debugId }: Failure): Error | undefined {
  const thrown = debugId === undefined ? undefined : causeOf(debugId)?.thrown;
  return isControlFlow(thrown) ? thrown : undefined;
}

async function tell(onOutcome: AdapterOptions['onOutcome'], outcome: Outcome): Promise<void> {
  try {
    await onOutcome?.(outcome);
  } catch {
    // A listener of the application must not change what the model is told.
  }
}
