/** The AI SDK's description of one call; `options.context` may read it. */
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
