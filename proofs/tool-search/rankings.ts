import type { ListedTool } from 'toolpact';
import { createToolIndex } from '../../packages/toolpact/src/toolbox/search/tool-index.ts';

/** Prepares a search over tools, which gives their names, best first. */
export type Ranking = (tools: readonly ListedTool[]) => Search | Promise<Search>;
type Search = (query: string) => readonly string[] | Promise<readonly string[]>;

/** The ranking of `toolbox.search`. */
export const toolpact: Ranking = (tools) => {
  const index = createToolIndex(tools);
  return (query) => index.search(query, 5).map(({ at }) => tools[at]?.name ?? '');
};

/** The ranking that needs no idea: tools by how many of the query's words stand anywhere in their name and description. */
export const substring: Ranking = (tools) => {
  const texts = tools.map(({ name, description }) => `${name} ${description}`.toLowerCase());
  return (query) => {
    const words = query.toLowerCase().split(/\W+/).filter(Boolean);
    return texts
      .map((text, at) => ({ at, count: words.filter((word) => text.includes(word)).length }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || a.at - b.at)
      .map(({ at }) => tools[at]?.name ?? '');
  };
};

/** MiniSearch over names, descriptions and parameters, as its documentation suggests: prefixes and misspelt words count, the name counts twice. */
export function minisearch(MiniSearch: MiniSearchClass): Ranking {
  return (tools) => {
    const index = new MiniSearch({
      fields: ['name', 'description', 'parameters'],
      searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 2 } },
    });
    index.addAll(
      tools.map(({ name, ...tool }, id) => ({
        id,
        name: name.replaceAll('_', ' '),
        description: tool.description,
        parameters: parametersOf(tool),
      })),
    );
    return (query) => index.search(query).map(({ id }) => tools[id]?.name ?? '');
  };
}

type MiniSearchClass = new (
  options: object,
) => { readonly addAll: (documents: readonly object[]) => void; readonly search: (query: string) => readonly { readonly id: number }[] };

/** The search of Mastra's `ToolSearchProcessor`, which is BM25 with a boost for names. */
export function mastra(ToolSearchProcessor: new (options: object) => object, createTool: (options: object) => object): Ranking {
  return (tools) => {
    const own = Object.fromEntries(
      tools.map(({ name, description }) => [name, createTool({ id: name, description, execute: async () => undefined })]),
    );
    const processor = new ToolSearchProcessor({ tools: own, search: { topK: 5 } }) as {
      readonly processInputStep: (args: object) => Promise<{ readonly tools: { readonly search_tools: { readonly execute: Execute } } }>;
    };
    return async (query) => {
      const { tools: offered } = await processor.processInputStep({ tools: {}, messages: [], messageList: { addSystem: () => undefined } });
      const { results } = await offered.search_tools.execute({ query }, {});
      return results.map(({ name }) => name);
    };
  };
}

type Execute = (input: object, context: object) => Promise<{ readonly results: readonly { readonly name: string }[] }>;

function parametersOf({ inputSchema }: Pick<ListedTool, 'inputSchema'>): string {
  return Object.keys((inputSchema.properties ?? {}) as object).join(' ');
}
