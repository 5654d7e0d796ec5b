/** The nine dialects that the command line knows by name, in the order of help and docs. */
export const dialectNames = ['flat', 'coded', 'value', 'status', 'mcp', 'openai', 'anthropic', 'gemini', 'problem'] as const;

/** Names one of the nine dialects. */
export type DialectName = (typeof dialectNames)[number];
