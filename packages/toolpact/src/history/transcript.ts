import type { Outcome } from '../outcome/index.ts';

/** Names the form in which a message list is written. */
export type HistoryProvider = 'openai' | 'openai-responses' | 'anthropic' | 'gemini' | 'ai-sdk';

/** Any object, read by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** A message of the given list, and into how many pieces it was read. */
export interface Source {
  readonly message: unknown;
  /** The place in the given list. */
  readonly index: number;
  pieces: number;
}

/** A tool call, wherever its format stores it. */
export interface StoredCall {
  /** As stored, then as healed; empty when the format has none. */
  id: string;
  /** The id under which its outcome was recorded, where that is not the healed one. */
  recordedId?: string;
  /** As stored, then as healed. */
  name: string | undefined;
  readonly args: unknown;
  readonly part: Fields;
  /** Replacement for arguments that no provider would take. */
  healedArgs?: unknown;
  answer?: StoredResult | undefined;
  /** Set when a person was asked to approve the call. */
  readonly approvalId?: string;
  approval?: { readonly approved: boolean; readonly reason: string | undefined };
}

/** A tool result, wherever its format stores it. */
export interface StoredResult {
  readonly id: string;
  readonly name: string | undefined;
  /** The tool's answer, without the frame around it. */
  readonly content: unknown;
  readonly part: Fields;
  /** Set when this answers a request for approval instead of a call. */
  readonly approval?: { readonly id: string; readonly approved: boolean; readonly reason: string | undefined };
}

/** Who speaks in a piece; `other` stands for what this library does not know. */
export type Side = 'model' | 'user' | 'other';

/** One piece of a message: all a model said, one result, or everything else. */
export interface Piece {
  readonly side: Side;
  readonly source: Source;
  /** The place among the pieces of its message. */
  readonly place: number;
  readonly parts: readonly unknown[];
  readonly calls: readonly StoredCall[];
  readonly result?: StoredResult;
  /** Ids that calls the provider ran itself and their approvals hold. */
  readonly held?: readonly string[];
  /** The model's turn a result belongs to, and the call it answers. */
  turn?: Piece;
  call?: StoredCall;
  /** Whether the host still has to act on the approvals of this turn. */
  waits?: boolean;
  changed: boolean;
}

/** A piece that a format reads from one message. */
export type ReadPiece = Pick<Piece, 'side' | 'parts'> & Partial<Pick<Piece, 'calls' | 'result' | 'held' | 'changed'>>;

/** How one provider writes a conversation. */
export interface Format {
  /** Whether a turn's results must stand directly behind it. Otherwise anywhere behind it will do. */
  readonly resultsFollow: boolean;
  /** Whether ids may be missing, so that a call and its result are matched by name. */
  readonly idsOptional: boolean;
  /** Whether the list must begin with the user, and whether a cut list should. */
  readonly opensWithUser: boolean;
  readonly cutsAtUser: boolean;
  /** Returns an id, and the name of a tool, in the form the provider accepts. */
  readonly fitId: (id: string) => string;
  readonly fitName: (name: string) => string;
  /** Checks whether a call has a name at all; all have where this is absent. */
  readonly isNamed?: (call: StoredCall) => boolean;
  /** Reads a message; undefined when it is unknown, nothing when it says nothing. */
  readonly read: (message: Fields) => readonly ReadPiece[] | undefined;
  /** Returns what must replace a result's content, in the form that the provider takes; the same where it is fine. */
  readonly healContent: (result: StoredResult) => unknown;
  /** Writes a result with other content. */
  readonly withContent: (part: Fields, content: unknown) => Fields;
  /** Returns what must replace arguments that the provider would refuse; undefined when they are fine. */
  readonly healArgs: (call: StoredCall) => unknown;
  /** Writes an answer to a call, as a part of a message or a message of its own. */
  readonly encode: (call: StoredCall, outcome: Outcome) => StoredResult;
  /** Writes what the user's side says: a lead, and what a result that lost its call contained. */
  readonly note: (lead: string, result: StoredResult | undefined) => readonly unknown[];
  /** Leaves out pieces that cannot stand where they are. */
  readonly prune?: (pieces: readonly Piece[]) => readonly Piece[];
  /** Checks whether two neighbours belong to one message. */
  readonly joins: (before: Piece, after: Piece) => boolean;
  /** Writes one message out of neighbours that belong together. */
  readonly build: (pieces: readonly Piece[]) => unknown;
}
