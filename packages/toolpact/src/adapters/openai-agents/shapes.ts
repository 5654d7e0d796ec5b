/** The SDK's description of one call. */
export interface OpenaiAgentsCall {
  readonly toolCall?: { readonly callId: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The SDK's description of one output. */
export interface OpenaiAgentsOutputContext {
  readonly runContext: unknown;
  readonly toolCall: { readonly callId: string };
}

/** Output for the model: text, or text and images. */
export type OpenaiAgentsOutput = string | ({ type: 'text'; text: string } | { type: 'image'; image: string })[];
