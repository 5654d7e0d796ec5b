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
  let rest = '';
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
      rest += text;
      const events: StreamEvent[] = [];
      // A carriage return at the very end may be half of a line break.
      for (let found = lineEnd.exec(rest); found !== null; found = lineEnd.exec(rest)) {
        const read = readLine(rest.slice(0, found.index));
        rest = rest.slice(found.index + found[0].length);
        if (read !== undefined) events.push(read);
      }
      return events;
    },
  };
}

const lineEnd = /\r\n|\n|\r(?!$)/;
