import { join } from 'node:path';
import type { LoadedTools } from './load-tools.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Sandbox = typeof import('../../edges/packs/sandbox/index.ts');

/** Tells where the documents of `rag:search` are. */
export function documentsPath(cwd: string): string {
  return join(cwd, '.toolpact/documents.db');
}

/** Makes the tools of the built-in packs. Keys come from the variables their services document; a tool whose key is missing says so. */
export async function packTools(env: Env, cwd: string): Promise<LoadedTools> {
  const [{ createSeichiTools }, sandbox] = await Promise.all([
    import('../../edges/packs/seichi/index.ts'),
    import('../../edges/packs/sandbox/index.ts'),
  ]);
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model = 'gpt-5-mini' } = env;
  const endpoint = { ...(baseUrl !== undefined && { baseUrl }), ...(apiKey !== undefined && { apiKey }), model };
  const { tools, resources } = sandbox.createSandbox({
    search: searchProvider(env, sandbox),
    documents: { path: documentsPath(cwd) },
    ...(apiKey !== undefined && { model: { baseUrl: 'https://api.openai.com/v1', ...endpoint } }),
  });
  return { tools: [...createSeichiTools({ translate: endpoint }), ...tools], resources };
}

function searchProvider(env: Env, { createBrave, createSearxng, createSerper, createTavily }: Sandbox) {
  const { SERPER_API_KEY, TAVILY_API_KEY, BRAVE_API_KEY, SEARXNG_URL } = env;
  if (SERPER_API_KEY !== undefined) return createSerper({ apiKey: SERPER_API_KEY });
  if (TAVILY_API_KEY !== undefined) return createTavily({ apiKey: TAVILY_API_KEY });
  if (BRAVE_API_KEY !== undefined) return createBrave({ apiKey: BRAVE_API_KEY });
  return SEARXNG_URL === undefined ? undefined : createSearxng({ baseUrl: SEARXNG_URL });
}
