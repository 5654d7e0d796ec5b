import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createToolbox } from '../../../core/runtime/index.ts';
import { createResources } from '../../../core/runtime/resources.ts';
import { packTools } from './pack-tools.ts';

/** A file, in which no folder can be made: that costs nobody but the documents. */
const cwd = fileURLToPath(import.meta.url);

async function open(env: Readonly<Record<string, string>>) {
  const loaded = await packTools(env, cwd);
  if ('toolbox' in loaded) throw new Error('packs are tools');
  return createToolbox(loaded.tools, { resources: createResources(loaded.resources ?? []), report: () => undefined });
}

test.each([
  ['No search service is configured: set SERPER_API_KEY, TAVILY_API_KEY, BRAVE_API_KEY or SEARXNG_URL.', {}],
  ['No search service is configured: set SERPER_API_KEY, TAVILY_API_KEY, BRAVE_API_KEY or SEARXNG_URL.', { SERPER_API_KEY: ' ' }],
  [
    'The API key of Serper holds a character that cannot be sent, such as a line break.',
    { SERPER_API_KEY: 'a\nb', TAVILY_API_KEY: 'a\nb' },
  ],
  ['The API key of Tavily holds a character that cannot be sent, such as a line break.', { SERPER_API_KEY: '', TAVILY_API_KEY: 'a\nb' }],
  ['The API key of Brave Search holds a character that cannot be sent, such as a line break.', { BRAVE_API_KEY: 'a\nb' }],
  ['The address of SearXNG is no full http or https URL.', { SEARXNG_URL: 'searx' }],
])('search says: %s', async (message, env) => {
  const outcome = await (await open(env)).answer({ name: 'search', args: { query: 'q' } });
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_configured', code: 'api_key_not_configured', message } });
});

test('a model on this machine needs an address and no key', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.setHeader('content-type', 'application/json').end('{"choices": [{"message": {"content": "Hyouka"}}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const toolbox = await open({ OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, OPENAI_API_KEY: '' });
  const outcome = await toolbox.answer({ name: 'translate_tool', args: { text: '氷菓', target_language: 'en' } });
  expect(outcome).toMatchObject({ status: 'ok', data: { translated: 'Hyouka' } });
  expect(seen).toEqual(['/v1/chat/completions']);
});

test.each([
  [{ OPENAI_BASE_URL: 'nope' }, 'The translation service: its address must be http or https.'],
  [{ OPENAI_API_KEY: 'sk-1\n2' }, 'The translation service: the user agent or key it is sent holds a character that cannot be sent.'],
])('a setting that cannot be used is told as a sentence with its fix: %j', async (env, message) => {
  await expect(packTools(env, cwd)).rejects.toMatchObject({
    name: 'CliError',
    message,
    fix: 'Correct OPENAI_BASE_URL or OPENAI_API_KEY.',
  });
});

test('where nothing can be written only the documents are missing', async () => {
  expect(await (await open({})).answer({ name: 'rag:search', args: { query: 'q' } })).toMatchObject({
    status: 'error',
    error: { kind: 'not_ready', message: expect.stringContaining('The file of the document index cannot be used: it cannot be opened') },
  });
});
