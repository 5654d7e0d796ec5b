import { isObject } from 'toolpact/internal';

/** A message of JSON-RPC, as far as it is read here. */
export interface JsonRpcMessage {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: unknown;
}

/** Returns the messages of a body, which holds one or a list of them. */
export function messagesOf(body: unknown): JsonRpcMessage[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter((message): message is object => isObject(message));
}
