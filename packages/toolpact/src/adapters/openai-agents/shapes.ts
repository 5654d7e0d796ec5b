/** What the SDK says about one call. */
export interface OpenaiAgentsCall {
  readonly toolCall?: { readonly callId: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the SDK says about one output. */
export interface OpenaiAgentsOutputContext {
  readonly runContext: unknown;
  readonly toolCall: { readonly callId: string };
}

/** What the model is sent: text, or text and images. */
export type OpenaiAgentsOutput = string | ({ type: 'text'; text: string } | { type: 'image'; image: string })[];
