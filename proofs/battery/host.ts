import type { AnyTool, Toolbox } from 'toolpact';
import type { z } from 'zod';

/**
 * A framework (or provider) in which the battery makes real agent runs. Each file in `hosts/` exports `hosts: readonly BatteryHost[]`.
 * A run has a scripted model: turn 1 makes the calls, turn 2 is sent what came back and answers `finalAnswer`.
 * `node --import ./scripts/resolve-source.ts proofs/battery/run-host.ts <file> [toolpact|bare]` shows one file's hosts, fault by fault.
 */
export interface BatteryHost {
  /** The column's key: kebab-case, unique, e.g. `ai-sdk`. */
  readonly name: string;
  /** The column's head, e.g. `AI SDK`. */
  readonly title: string;
  /** The sub-path of the adapter, e.g. `ai-sdk` for `toolpact/adapters/ai-sdk`. */
  readonly adapter: string;
  /** The packages that decide how the framework behaves; a measurement is only valid for their versions. */
  readonly packages: readonly string[];
  /** Whether the framework's own tools can declare the form of their results. */
  readonly hasOutputSchema?: boolean;
  /** Makes one run. Rejects if, and only if, the framework's run rejects or ends on an error. */
  readonly run: (setup: RunSetup) => Promise<RunRecord>;
}

/** The setup of a run: the framework's own tools, written as its documentation says, or a toolbox through its adapter. */
export type RunSetup = BareSetup | ToolpactSetup;

export interface BareSetup {
  readonly mode: 'bare';
  readonly tools: readonly ToolSpec[];
  readonly calls: readonly ScriptedCall[];
}

export interface ToolpactSetup {
  readonly mode: 'toolpact';
  readonly toolbox: Toolbox<readonly AnyTool[]>;
  readonly calls: readonly ScriptedCall[];
}

/** A tool to be written in the framework's own way. `z.toJSONSchema(spec.input)` helps where a framework wants JSON Schema. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output?: z.ZodType;
  readonly run: (args: never) => unknown;
}

/** A call that the scripted model makes in turn 1. All calls of a run are made in the same turn, in this order. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** For models that send arguments as a value. Where the text is no JSON this is the text itself. */
  readonly args: unknown;
  /** For models that send arguments as JSON text: exactly this. */
  readonly json: string;
}

/** The record of a run. */
export interface RunRecord {
  /** The final text as the application gets it; absent or empty when the run never got to turn 2. */
  readonly answer?: string | undefined;
  /** Per call id, what the model was sent back in turn 2. A call that was not answered is absent. */
  readonly toModel: Readonly<Record<string, ToldModel>>;
  /** Per call id, what the application can see without reading the text for the model. In toolpact mode only where the recorded outcomes do not do. */
  readonly app?: Readonly<Record<string, SeenByApp>>;
  /** Per call id, the arguments as the prompt of turn 2 shows them (a value or JSON text), where the host sends them again. */
  readonly history?: Readonly<Record<string, unknown>>;
}

export interface ToldModel {
  /** Everything the model reads about the call: text as it is, anything else as JSON. */
  readonly text: string;
  /** Whether it came with the host's own failure flag; absent where the host has none. */
  readonly failed?: boolean;
}

export interface SeenByApp {
  /** A kind or code that the framework (or Toolpact) assigned, e.g. `rate_limited`, `NoSuchToolError`. */
  readonly kind?: string | undefined;
  readonly code?: string | undefined;
  /** The original error object. */
  readonly error?: unknown;
  /** Only that it failed. */
  readonly failed?: boolean | undefined;
}

/** The scripted model's text in turn 2. */
export const finalAnswer = 'all done';
