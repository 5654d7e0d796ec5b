import type { JsonObject, JsonValue } from '../../outcome/index.ts';

/** How a tool is described to the model. */
export interface AdkDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: JsonObject;
}

/** What the model is sent: a result under `output`, a failure under `error`; or the envelope of the dialect that was asked for. */
export type AdkResponse = { readonly output: JsonValue } | { readonly error: string } | object;

/** What is read of the context that ADK hands to its tools. `options.context` is given all of it. */
export interface AdkContext {
  readonly functionCallId?: string | undefined;
  /** The run of the agent. */
  readonly invocationId?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly invocationContext?: { readonly session?: { readonly events?: readonly object[] } } | undefined;
  /** What ADK does after the call. */
  readonly actions?: { skipSummarization?: boolean } | undefined;
}

/** What is read and written of a request before the model gets it. */
export interface AdkRequest {
  toolsDict: Record<string, unknown>;
  config?: { tools?: object[] } | undefined;
}
