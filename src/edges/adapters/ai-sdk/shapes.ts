/** What the AI SDK says about one call; `options.context` may read it. */
export interface AiSdkCall {
  readonly toolCallId: string;
  readonly messages: unknown[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** A schema as the AI SDK takes it: the standard's form for its types, its own form for what it does with it. */
export interface AiSdkSchema<TInput> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: TInput };
    readonly types?: { readonly input: unknown; readonly output: TInput };
  };
}

/** A call as the model sent it, its arguments as text. */
export interface AiSdkToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}

/** What the AI SDK asks when it cannot make sense of a call. */
export type AiSdkRepair = <TCall extends AiSdkToolCall>(asked: {
  readonly toolCall: TCall;
  readonly tools: object;
  readonly error: Error;
}) => Promise<TCall | null>;

/** When the AI SDK ends a run. */
export type AiSdkStop = (run: { readonly steps: readonly { readonly toolResults: readonly { readonly output: unknown }[] }[] }) => boolean;
