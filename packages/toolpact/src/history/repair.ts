/** Describes a change of a message list, and its reason by its place in the given list. */
export interface Repair {
  /**
   * - `answered`: a call had no result and got one
   * - `moved`: a result stood in the wrong place
   * - `noted`: a result that no call can carry was kept as a note
   * - `dropped`: something that says nothing, or nothing new, was left out
   * - `renamed`: a call got an id of its own or a name that its provider takes, or a result the id and name of its call
   * - `arguments`: stored arguments were no object
   * - `content`: a stored result was not in a form that its provider takes
   * - `text`: a text held half of a surrogate pair, as it is left where a text is cut
   * - `merged`: neighbours of one role became one message
   * - `opened`: the list began with the model, so a word of the user's was put before it
   */
  readonly type: 'answered' | 'moved' | 'noted' | 'dropped' | 'renamed' | 'arguments' | 'content' | 'text' | 'merged' | 'opened';
  /** The place in the given list. */
  readonly index: number;
  /** The id as it stands in the healed list. */
  readonly callId?: string;
  /** Where the answer to a call came from. Without a source it says that the effect is unknown. */
  readonly from?: 'ledger' | 'approval' | 'nowhere';
}

/** Hears of repairs. */
export type Report = (repair: Repair) => void;
