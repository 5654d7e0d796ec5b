import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { type StopTimer, systemClock } from 'toolpact/internal';

/** Lets the client of a session come back for the rest of a stream that broke. */
export interface McpResume {
  /** The newest events that the session sent, up to a limit. */
  readonly events: EventStore;
  /** Gives the stream of an event; undefined when it is not kept any more. */
  readonly streamOf: (eventId: string | null | undefined) => string | undefined;
  /** Waits for the client of a stream that broke. */
  readonly lose: (stream: string, lost: LostStream) => void;
  /** Gives the requests of a stream whose client is back; it is not waited for any more. */
  readonly take: (stream: string) => readonly unknown[];
  /** Stops waiting for clients. */
  readonly close: () => void;
}

/** A stream that broke. */
export interface LostStream {
  /** The requests whose answers belong to it. */
  readonly requests: readonly unknown[];
  /** Called when its client is back. */
  readonly onTaken: () => void;
  /** Called when its client did not come back in time. */
  readonly onGivenUp: () => void;
}

interface KeptEvent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly chars: number;
}

const maxEvents = 1_000;
const maxChars = 4_194_304;

/**
 * Keeps the events of a session and waits `resumeMs` for a client that lost a stream. One that comes back with an event that is not
 * kept any more is refused, for what came after it might be missing.
 */
export function createMcpResume(resumeMs: number): McpResume {
  const kept: KeptEvent[] = [];
  const lost = new Map<string, LostStream & { readonly stopTimer: StopTimer }>();
  let chars = 0;
  let count = 0;
  const find = (eventId: string): number => kept.findIndex(({ id }) => id === eventId);
  const streamOf: McpResume['streamOf'] = (eventId) => (typeof eventId === 'string' ? kept[find(eventId)]?.stream : undefined);

  const events: EventStore = {
    async storeEvent(stream, message) {
      count += 1;
      const event = { id: String(count), stream, message, chars: JSON.stringify(message).length };
      kept.push(event);
      chars += event.chars;
      while (kept.length > maxEvents || (chars > maxChars && kept.length > 1)) chars -= kept.shift()?.chars ?? 0;
      return event.id;
    },
    getStreamIdForEventId: async (eventId) => streamOf(eventId),
    async replayEventsAfter(eventId, { send }) {
      const stream = streamOf(eventId) ?? '';
      const missed = kept.slice(find(eventId) + 1).filter((event) => event.stream === stream);
      // The first event of a stream has an id and nothing to say.
      for (const { id, message } of missed) if ('jsonrpc' in message) await send(id, message);
      return stream;
    },
  };

  function forget(stream: string): LostStream | undefined {
    const lostStream = lost.get(stream);
    lost.delete(stream);
    lostStream?.stopTimer();
    return lostStream;
  }

  return {
    events,
    streamOf,
    lose(stream, one) {
      const stopTimer = systemClock.after(resumeMs, () => forget(stream)?.onGivenUp(), { background: true });
      lost.set(stream, { ...one, stopTimer });
    },
    take(stream) {
      const one = forget(stream);
      one?.onTaken();
      return one?.requests ?? [];
    },
    close() {
      for (const stream of [...lost.keys()]) forget(stream);
    },
  };
}

/** Reads the id of the first event in a piece of a stream. */
export function firstEventId(chunk: Uint8Array): string | undefined {
  return /^id: (\S+)$/m.exec(new TextDecoder().decode(chunk))?.[1];
}
