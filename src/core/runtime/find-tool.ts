import { rankNames, toNameKey, toProviderName } from '../contract/index.ts';

/** What a name leads to: one entry, or why it leads to none. */
export type Found<TEntry> =
  | { readonly ok: true; readonly entry: TEntry; readonly name: string }
  | { readonly ok: false; readonly message: string; readonly candidates: readonly string[] };

/** Finds entries by any reasonable spelling of their names. */
export type Finder<TEntry> = (asked: unknown) => Found<TEntry>;

/**
 * Indexes entries by name. A name is found exactly, then regardless of case and separators (`rag:search`, `rag_search`, `RAG.Search`),
 * then by its action alone where only one resource has it. Anything else is answered with the nearest names.
 */
export function createFinder<TEntry>(entries: ReadonlyMap<string, TEntry>): Finder<TEntry> {
  const byKey = group(entries.keys(), toNameKey);
  const byAction = group(
    [...entries.keys()].filter((name) => name.includes(':')),
    (name) => toNameKey(name.slice(name.indexOf(':') + 1)),
  );
  return (asked) => {
    if (typeof asked !== 'string' || asked === '') return unknown('A tool name is needed', entries, '');
    const exact = entries.get(asked);
    if (exact !== undefined) return { ok: true, entry: exact, name: asked };
    const key = toNameKey(asked.slice(0, 200));
    const spelled = byKey.get(key) ?? byAction.get(key) ?? [];
    const [only] = spelled;
    if (spelled.length === 1 && only !== undefined) return { ok: true, entry: entries.get(only) as TEntry, name: only };
    if (spelled.length > 1) {
      return { ok: false, candidates: spelled, message: `${quote(asked)} could mean ${list(spelled)}. Call one of them by its full name.` };
    }
    return unknown(`There is no tool named ${quote(asked)}`, entries, asked);
  };
}

/** Checks that no two names look the same to a model provider; gives the first clash. */
export function findNameClash(names: readonly string[]): readonly [string, string] | undefined {
  const taken = new Map<string, string>();
  for (const name of names) {
    const safe = toProviderName(name);
    const other = taken.get(safe);
    if (other !== undefined) return [other, name];
    taken.set(safe, name);
  }
  return undefined;
}

function unknown<TEntry>(what: string, entries: ReadonlyMap<string, TEntry>, asked: string): Found<TEntry> {
  const names = [...entries.keys()];
  const near = rankNames(asked, names);
  const candidates = near.length > 0 ? near : names.slice(0, 10);
  const hint =
    near.length > 0 ? `Did you mean ${list(near)}?` : names.length === 0 ? 'There are no tools here.' : `Available: ${list(candidates)}.`;
  return { ok: false, candidates, message: `${what}. ${hint}` };
}

function group(names: Iterable<string>, keyOf: (name: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const key = keyOf(name);
    const names = groups.get(key);
    if (names === undefined) groups.set(key, [name]);
    else names.push(name);
  }
  return groups;
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function quote(asked: string): string {
  return JSON.stringify(asked.length > 64 ? `${asked.slice(0, 64)}…` : asked);
}
