import { createParser } from 'eventsource-parser';

/** One server-sent event. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** Reads the server-sent events of a body until it ends. `EventSource` cannot send a credential, so this reads a fetched body. */
export async function readEvents(body: ReadableStream<Uint8Array>, onEvent: (event: ServerEvent) => void): Promise<void> {
  const parser = createParser({ onEvent: ({ id, event, data }) => onEvent({ id, event, data }) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(decoder.decode(part.value, { stream: true }));
}
