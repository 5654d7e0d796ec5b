/** One turn of a scripted model. */
export interface ModelTurn {
  readonly text?: string;
  readonly calls?: readonly WireCall[];
  /** Whether the turn ran into the limit of tokens. */
  readonly isCut?: true;
}

export interface WireCall {
  readonly id: string;
  readonly name: string;
  /** The arguments exactly as the model wrote them. */
  readonly json: string;
}

/** A request's information for the model about one call. */
export interface Told {
  readonly text: string;
  /** The provider's own failure flag; absent where it has none. */
  readonly failed?: boolean;
}

/** How one provider speaks: its answers, whole or as server-sent events, and what it demands of a request. */
export interface Wire {
  readonly toJson: (turn: ModelTurn) => object;
  /** Puts what the server remembers of the last request and its own reply before a request that goes on from there. */
  readonly resume?: (body: never, last: { readonly body: never; readonly turn: ModelTurn }) => object;
  /** Server-sent events, each as written on the wire. */
  readonly toEvents: (turn: ModelTurn) => readonly string[];
  readonly toError: (status: number, message: string) => object;
  /** Says what the provider would refuse a request for. */
  readonly check: (body: never) => string | undefined;
  /** The same, without what only some servers of this API refuse. Absent where all are alike. */
  readonly checkLess?: (body: never) => string | undefined;
  /** Reads each call's information from a request, by id (by name and place if there are no ids), in order. */
  readonly told: (body: never) => Readonly<Record<string, Told>>;
  /** The arguments of each call as the request repeats them. */
  readonly argumentsIn: (body: never) => Readonly<Record<string, unknown>>;
}

export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Cuts a text into pieces, so that every stream has more than one. */
export const pieces = (text: string): string[] => [...text.matchAll(/.{1,7}/gs)].map(([piece]) => piece);

/** The rule for names of functions that providers share. */
export const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

export function isJsonObject(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export function findTwice(ids: readonly (string | undefined)[]): string | undefined {
  return ids.find((id, index) => ids.indexOf(id) !== index);
}
