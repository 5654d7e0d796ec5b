/** Something that happened, as a reader of a failing seed sees it. */
export interface HistoryEntry {
  /** True time. */
  readonly at: number;
  /** The process, or `store`, `outside`, `operator`, `fault`. */
  readonly who: string;
  readonly what: string;
}

/** The events of one run, in order. */
export interface History {
  readonly note: (who: string, what: string) => void;
  readonly entries: () => readonly HistoryEntry[];
  /** A fingerprint of all that happened, store operations included: two runs of one seed give the same. */
  readonly print: () => string;
  /** Counts something without keeping it: store operations are too many to show. */
  readonly mix: (text: string) => void;
}

/** Creates an empty history. @param isWhole whether what is mixed in is kept too */
export function createHistory(now: () => number, isWhole: boolean): History {
  const entries: HistoryEntry[] = [];
  let print = 2_166_136_261;
  const mix = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) print = Math.imul(print ^ text.charCodeAt(at), 16_777_619);
  };
  return {
    note(who, what) {
      entries.push({ at: now(), who, what });
      mix(`${now()} ${who} ${what}\n`);
    },
    entries: () => entries,
    print: () => (print >>> 0).toString(16).padStart(8, '0'),
    mix(text) {
      mix(`${now()} ${text}\n`);
      if (isWhole) entries.push({ at: now(), who: 'store', what: text });
    },
  };
}

/** Writes a history as lines. */
export function renderHistory(entries: readonly HistoryEntry[]): string {
  return entries.map(({ at, who, what }) => `${at.toFixed(1).padStart(9)}  ${who.padEnd(9)} ${what}`).join('\n');
}
