/** One server-sent event. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events out of pieces of text, cut wherever the network cut them. */
export interface EventReader {
  /** Takes the next piece and gives the events that are complete now. */
  readonly push: (text: string) => StreamEvent[];
}

/** Makes a reader of server-sent events. What comes after the last blank line is no event, as the standard says. */
export function createEventReader(): EventReader {
  /** The line that has not ended yet, in pieces. */
  let rest: string[] = [];
  let held = '';
  let event = '';
  let data: string[] = [];

  function readLine(line: string): StreamEvent | undefined {
    if (line === '') {
      const complete = data.length === 0 ? undefined : { event: event === '' ? 'message' : event, data: data.join('\n') };
      event = '';
      data = [];
      return complete;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    return undefined;
  }

  return {
    push(text) {
      // A carriage return at the very end may be half of a line break; it waits for what comes after it.
      const whole = held + text;
      held = whole.endsWith('\r') ? '\r' : '';
      const lines = (held === '' ? whole : whole.slice(0, -1)).split(lineEnd);
      const last = lines.pop() ?? '';
      const events: StreamEvent[] = [];
      for (const line of lines) {
        const read = readLine(rest.join('') + line);
        rest = [];
        if (read !== undefined) events.push(read);
      }
      if (last !== '') rest.push(last);
      return events;
    },
  };
}

const lineEnd = /\r\n|\n|\r/;
