import { stemOf } from './words-of.ts';

/** The action of a call, as far as it can be told from outside. */
export type Action = 'read' | 'create' | 'update' | 'delete';

/** How well each action does what was asked for, from 0 to 1. */
export type ActionFit = Readonly<Partial<Record<Action, number>>>;

/** The verbs of queries and their possible meanings: one "makes" a folder, and "makes" a folder private. */
const askedVerbs = toTable<ActionFit>([
  ['show list read see view display get fetch retrieve describe look find search lookup browse check count', { read: 1 }],
  ['download export track monitor inspect compare verify test validate calculate estimate', { read: 0.7, create: 0.5 }],
  ['create add new insert register generate build compose provision another', { create: 1, update: 0.3 }],
  ['make', { create: 1, update: 0.5 }],
  ['start begin launch open run schedule book send post tell share publish', { create: 1, update: 0.6 }],
  ['give put save store write upload attach import invite', { create: 1, update: 0.8 }],
  ['change update edit modify rename fix correct adjust replace rewrite switch turn', { update: 1, create: 0.3 }],
  ['set mark move assign configure enable disable close reopen archive lock pause resume', { update: 1, create: 0.7 }],
  ['delete remove erase destroy wipe trash', { delete: 1, update: 0.2 }],
  ['cancel stop end revoke kick ban drop clear purge discard terminate', { delete: 1, update: 0.7, create: 0.5 }],
  ['detach disconnect unlink unsubscribe unfollow', { delete: 1, update: 0.7, create: 0.5 }],
]);

/** An order whose verb is none of these ("tag it", "pin the message"), or a statement. */
const someChange: ActionFit = { create: 1, update: 1, delete: 0.7 };

/** The verbs of names and descriptions. */
const toolVerbs = toTable<Action>([
  ['get list read show view describe fetch retrieve find search query lookup check count download export browse', 'read'],
  ['create add insert new register generate make start launch run provision import upload invite post send allocate', 'create'],
  ['update modify set put patch edit change replace rename move', 'update'],
  ['delete remove destroy erase revoke terminate purge cancel deactivate uninstall unassign', 'delete'],
  ['detach disassociate deregister clear', 'delete'],
]);

/** Verbs that so many names have that they tell little. */
const commonVerbs = toSet(
  'show list read see view display get fetch retrieve describe look find create add new insert make give put set change update edit ' +
    'modify delete remove erase is are has what which who whose how why when where another manage',
);
const methods = toSet('get post put patch delete');

/** Words that may stand before the verb of an order. */
const fillers = toSet('please can could would will you i we want need to let now also just');

/** Words that begin a question. */
const questions = toSet('what which who whose how why when where is are has have do does did was were');

/** Words that make a sentence. */
const sentenceWords = toSet(
  'is are has have was should must wants the a an this that these those my our your his her their it them him me us all',
);

/**
 * Reads what a query asks for. Its clauses, which begin at `starts`, begin with a question word or with the verb of an order. A sentence
 * with neither says what is to be recorded or changed: "she has a new number". Undefined where there is no sentence.
 */
export function readAction(
  words: readonly string[],
  meanings: ReadonlyMap<number, readonly string[]>,
  starts: readonly number[],
): ActionFit | undefined {
  const asked = starts.flatMap((start) => {
    const at = words.findIndex((word, place) => place >= start && !fillers.has(word));
    const first = words[at] ?? '';
    if (questions.has(first)) return words[at + 1] === 'not' ? [someChange] : [{ read: 1 }];
    return (meanings.get(at) ?? [first]).flatMap((word) => askedVerbs.get(word) ?? []);
  });
  // "Find the task and mark it done" asks for a change.
  if (asked.length > 0) return asked.find(({ read = 0 }) => read < 1) ?? asked[0];
  return words.some((word) => sentenceWords.has(word)) ? someChange : undefined;
}

/** Tells what a tool does by its name and the beginning of its description; nothing where neither says it. */
export function actionsOf(name: readonly string[], summary: readonly string[], effects: string): ReadonlySet<Action> {
  if (effects === 'none') return new Set(['read']);
  const named = name.flatMap((word) => toolVerbs.get(word) ?? []);
  const described = summary.slice(0, 3).flatMap((word) => toolVerbs.get(word) ?? []);
  // A tool that writes and whose name does not say that it reads, does not: "Search terms are stored."
  return new Set([...named, ...described.filter((action) => action !== 'read' || named.length === 0)]);
}

/** Whether a word is a verb that says little beside the action that it stands for. */
export function isCommonVerb(word: string): boolean {
  return commonVerbs.has(word);
}

/** Whether a word of a name is only there to say which action it is. */
export function isNameVerb(word: string): boolean {
  return methods.has(word) || (toolVerbs.has(word) && commonVerbs.has(word));
}

/** Whether a word says what to do, rather than with what. */
export function isAskedVerb(word: string): boolean {
  return askedVerbs.has(word);
}

function toTable<TValue>(rows: readonly (readonly [words: string, value: TValue])[]): ReadonlyMap<string, TValue> {
  return new Map(rows.flatMap(([words, value]) => words.split(' ').map((word) => [stemOf(word), value] as const)));
}

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stemOf));
}
