import { dirname, join } from 'node:path';
import { fail } from '../../../core/outcome/index.ts';
import type { SearchProvider } from '../../../edges/packs/sandbox/index.ts';
import { CliError } from '../cli-error.ts';
import type { LoadedTools } from './load-tools.ts';
import { makeFolder } from './make-folder.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Sandbox = typeof import('../../../edges/packs/sandbox/index.ts');

/** Tells where the documents of `rag:search` are. */
export function documentsPath(cwd: string): string {
  return join(cwd, '.toolpact/documents.db');
}

/** Makes the tools of the built-in packs. Keys come from the variables their services document; a tool whose key is missing says so. */
export async function packTools(env: Env, cwd: string): Promise<LoadedTools> {
  const [{ createSeichiTools }, sandbox] = await Promise.all([
    import('../../../edges/packs/seichi/index.ts'),
    import('../../../edges/packs/sandbox/index.ts'),
  ]);
  try {
    makeFolder(dirname(documentsPath(cwd)));
  } catch {
    // Where nothing can be written, everything but the documents works all the same, and they say why they do not.
  }
  const model = modelEndpoint(env);
  const { tools, resources } = sandbox.createSandbox({
    search: searchProvider(env, sandbox),
    documents: { path: documentsPath(cwd) },
    model,
  });
  try {
    return { tools: [...createSeichiTools(model && { translate: model }), ...tools], resources };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CliError(`${cause.message}.`, { fix: 'Correct OPENAI_BASE_URL or OPENAI_API_KEY.', cause });
  }
}

/** The model that translates and sums up. One on this machine is known by its address and asks for no key. */
function modelEndpoint(env: Env) {
  const [apiKey, baseUrl] = [given(env, 'OPENAI_API_KEY'), given(env, 'OPENAI_BASE_URL')];
  if (apiKey === undefined && baseUrl === undefined) return undefined;
  const model = given(env, 'OPENAI_MODEL') ?? 'gpt-5-mini';
  return { baseUrl: baseUrl ?? 'https://api.openai.com/v1', apiKey: apiKey ?? 'none', model };
}

function searchProvider(env: Env, { createBrave, createSearxng, createSerper, createTavily }: Sandbox): SearchProvider {
  const makers: Readonly<Record<string, (value: string) => SearchProvider>> = {
    SERPER_API_KEY: (apiKey) => createSerper({ apiKey }),
    TAVILY_API_KEY: (apiKey) => createTavily({ apiKey }),
    BRAVE_API_KEY: (apiKey) => createBrave({ apiKey }),
    SEARXNG_URL: (baseUrl) => createSearxng({ baseUrl }),
  };
  for (const [name, make] of Object.entries(makers)) {
    const value = given(env, name);
    if (value !== undefined) return make(value);
  }
  const message = 'No search service is configured: set SERPER_API_KEY, TAVILY_API_KEY, BRAVE_API_KEY or SEARXNG_URL.';
  return { name: 'none', search: () => Promise.reject(fail('not_configured', message, { code: 'api_key_not_configured' })) };
}

/** A variable that is set to nothing is not set. */
function given(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
