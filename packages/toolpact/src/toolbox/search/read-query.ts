import { stemOf, wordsOf } from './words-of.ts';

/** A query as the index answers it. */
export interface ToolQuery {
  /** The stems of its telling words, each once. */
  readonly words: readonly string[];
  /** Whether it asks to see something or to change something, as far as its words show. */
  readonly intent: 'read' | 'change' | undefined;
  /** Whether it asks to remove or to end something. */
  readonly removes: boolean;
}

const longestQuery = 1_000;
const mostWords = 32;

/** Reads a query. Words that say little are left out, unless there are no others. */
export function readQuery(query: string): ToolQuery {
  const text = query.slice(0, longestQuery);
  const words = [...new Set(wordsOf(text))];
  const telling = words.filter((word) => !emptyWords.has(word));
  const removes = words.some((word) => isRemoving(word) || endingWords.has(word));
  const first = words.find((word) => readingWords.has(word) || changingWords.has(word));
  const intent = first === undefined ? (removes ? 'change' : undefined) : readingWords.has(first) ? 'read' : 'change';
  return { words: (telling.length > 0 ? telling : words).slice(0, mostWords), intent, removes };
}

/** Whether a tool with this stem in its name removes something, or ends it. */
export function isRemoving(word: string): boolean {
  return removingWords.has(word);
}

const stemsOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stemOf));

const emptyWords = stemsOf(
  'a an the this that these those it its i me my we us our you your he his she her they them their let ' +
    'to of for in on at by with from into about out off up over as so if and or not no yet just am is are was were be been do does did ' +
    'have has had can could will would should may how much many when where there what some any please want need ' +
    'last next week month today tomorrow yesterday now right',
);
const readingWords = stemsOf('who what which how show list find get read see look has is where when search check view download');
const changingWords = stemsOf(
  'create new make add start delete remove erase update change edit set send stop cancel move mark open close put give invite tell ' +
    'comment attach pin upload archive remind schedule save turn shut restart launch kick copy write tag assign deploy block enable ' +
    'disable approve reject merge connect',
);
const removingWords = stemsOf(
  'delete remove destroy erase revoke terminate purge cancel disable deactivate uninstall unassign detach disassociate deregister',
);
const endingWords = stemsOf('stop end kick clear wipe drop off out rid undo away leave unlink disconnect shut forget empty kill ban');
