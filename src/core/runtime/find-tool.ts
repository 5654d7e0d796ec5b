import { toNameKey } from '../contract/index.ts';
import { rankNames } from '../json/index.ts';
import { ToolpactError } from '../outcome/index.ts';

/** What a name leads to: one entry, or why it leads to none. */
export type Found<TEntry> =
  | { readonly entry: TEntry }
  | { readonly entry?: undefined; readonly message: string; readonly advice: string; readonly candidates: readonly string[] };

/** Longer names are unknown. */
const longestName = 200;

/** Finds entries by any reasonable spelling of their names. `spell` writes names as the caller knows them. */
export type FindTool<TEntry> = (asked: unknown, spell?: (name: string) => string) => Found<TEntry>;

/**
 * Indexes entries by name. A name is found exactly, then regardless of case and separators (`rag:search`, `rag_search`, `RAG.Search`),
 * then by its action alone where only one resource has it. Anything else is answered with the nearest names. Throws for two names that
 * differ only in case or separators: a model cannot tell them apart.
 */
export function createFindTool<TEntry>(entries: ReadonlyMap<string, TEntry>): FindTool<TEntry> {
  const byKey = Map.groupBy(entries.keys(), toNameKey);
  const names = [...byKey.values()].find((alike) => alike.length > 1);
  if (names) throw new ToolpactError('name_clash', `a model cannot tell the names "${names[0]}" and "${names[1]}" apart`, { names });
  const byAction = Map.groupBy(entries.keys(), (name) => toNameKey(name.slice(name.indexOf(':') + 1)));
  return (asked, spell = (name) => name) => {
    if (typeof asked !== 'string' || asked === '') return unknown('A tool name is needed.', entries, '', spell);
    const exact = entries.get(asked);
    if (exact) return { entry: exact };
    // A longer name is no spelling of any tool: cutting it could make it one.
    const key = asked.length > longestName ? '' : toNameKey(asked);
    const spelled = byKey.get(key) ?? byAction.get(key) ?? [];
    const entry = entries.get(spelled[0] ?? '');
    // A shortened name could end in half a secret, which the redaction would not recognise.
    const quoted = asked.length > 64 ? 'so long a name' : JSON.stringify(asked);
    if (!entry) return unknown(`There is no tool named ${quoted}.`, entries, asked, spell);
    if (spelled.length === 1) return { entry };
    const candidates = spelled.map(spell);
    const message = `${quoted} could mean ${list(candidates)}.`;
    return { candidates, message, advice: 'Call one by its full name.' };
  };
}

function unknown<TEntry>(
  message: string,
  entries: ReadonlyMap<string, TEntry>,
  asked: string,
  spell: (name: string) => string,
): Found<TEntry> {
  const names = [...entries.keys()];
  const near = rankNames(asked, names);
  const candidates = (near.length > 0 ? near : names.slice(0, 10)).map(spell);
  const advice =
    near.length > 0
      ? `Did you mean ${list(candidates)}?`
      : names.length === 0
        ? 'There are no tools here.'
        : `Available: ${list(candidates)}.`;
  return { candidates, message, advice };
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
