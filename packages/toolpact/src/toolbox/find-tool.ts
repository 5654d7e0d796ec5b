import { toNameKey, toProviderName } from '../contract/index.ts';
import { rankNames } from '../json/index.ts';
import { ToolpactError } from '../outcome/index.ts';

/** The result of looking a name up: one entry, or why there is none. */
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
 * differ only in case or separators: a model cannot tell them apart. Without `anySpelling` a name is found exactly, or in the form that
 * providers accept.
 */
export function createFindTool<TEntry>(entries: ReadonlyMap<string, TEntry>, anySpelling: boolean): FindTool<TEntry> {
  const byKey = Map.groupBy(entries.keys(), toNameKey);
  const names = [...byKey.values()].find((alike) => alike.length > 1);
  if (names !== undefined)
    throw new ToolpactError('name_clash', `a model cannot tell the names "${names[0]}" and "${names[1]}" apart; rename one of them`, {
      names,
    });
  const byAction = Map.groupBy(entries.keys(), (name) => toNameKey(name.slice(name.indexOf(':') + 1)));
  return (asked, spell = (name) => name) => {
    const name = typeof asked === 'string' ? asked : '';
    const exact = entries.get(name);
    if (exact !== undefined) return { entry: exact };
    // A longer name is no spelling of any tool: cutting it could make it one.
    const key = name.length > longestName ? '' : toNameKey(name);
    const alike = byKey.get(key) ?? byAction.get(key) ?? [];
    const spelled = anySpelling ? alike : alike.filter((own) => toProviderName(own) === name);
    const entry = entries.get(spelled[0] ?? '');
    if (entry !== undefined && spelled.length === 1) return { entry };
    // A shortened name could end in half a secret, which the redaction would not recognise.
    const quoted = name.length > 64 ? 'so long a name' : JSON.stringify(name);
    if (entry !== undefined) {
      const candidates = spelled.map(spell);
      return { candidates, message: `${quoted} could mean ${list(candidates)}.`, advice: 'Call one by its full name.' };
    }
    const near = rankNames(name, entries.keys());
    const candidates = (near.length > 0 ? near : [...entries.keys()].slice(0, 10)).map(spell);
    const advice =
      near.length > 0 ? `Did you mean ${list(candidates)}?` : `Available: ${candidates.length === 0 ? 'none' : list(candidates)}.`;
    return { candidates, message: name === '' ? 'A tool name is needed.' : `There is no tool named ${quoted}.`, advice };
  };
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
