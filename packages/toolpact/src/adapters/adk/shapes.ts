import type { JsonObject, JsonValue } from '../../outcome/index.ts';

/** How a tool is described to the model. */
export interface AdkDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: JsonObject;
}

/** The response for the model: a result under `output`, a failure under `error`; or the envelope of the chosen dialect. */
export type AdkResponse = { readonly output: JsonValue } | { readonly error: string } | object;

/** The part of ADK's tool context that is read here. `options.context` gets all of it. */
export interface AdkContext {
  readonly functionCallId?: string | undefined;
  /** The run of the agent. */
  readonly invocationId?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly invocationContext?: { readonly session?: { readonly events?: readonly object[] } } | undefined;
  /** Actions for ADK after the call. */
  readonly actions?: { skipSummarization?: boolean } | undefined;
}

/** The part of a model request that is read and written. */
export type AdkRequest = {
  toolsDict: Record<string, unknown>;
  config?: { tools?: object[] } | undefined;
};
