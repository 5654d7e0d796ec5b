import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromOpenApi } from '@toolpact/openapi';
import { createDocumentIndex, createSandbox, createSearxng } from '@toolpact/origins/coded/tools';
import type { ToolSubject } from '@toolpact/testing';
import { createResources, createToolbox } from 'toolpact';
import { resultReader } from 'toolpact/guards';
import { memoryStore } from 'toolpact/stores/memory';
import { petstore } from '../../examples/petstore-in-a-minute/petstore.ts';
import { sampleTools } from '../../packages/cli/src/load/sample-tools.ts';
import { wireToolbox } from '../../packages/cli/src/load/wire-toolbox.ts';
import { readSettings } from '../../packages/cli/src/settings/read-settings.ts';

const quiet = { report: () => undefined };
const settings = readSettings({ flags: new Map(), env: {} });

/** Opens every tool we ship, and closes it again when it has been judged. What their services are is on this machine. */
export async function withOwnTools<T>(judge: (subjects: Readonly<Record<string, ToolSubject>>) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-own-tools-'));
  const path = join(folder, 'documents.db');
  const index = createDocumentIndex({ path });
  index.add([{ id: 'tea', text: 'Green tea is steeped at eighty degrees.' }]);
  index.close();
  const web = await startWeb();
  const sandbox = createSandbox({
    search: createSearxng({ baseUrl: web.origin }),
    visit: { allowHosts: ['127.0.0.1'], lookup: unknownHost },
    documents: { path },
  });
  const resources = createResources(sandbox.resources);
  const { tools: pets } = fromOpenApi(petstore, { baseUrl: web.origin, auth: { petstore_auth: 'own-tools-token' } });
  const subjects = {
    sandbox: createToolbox(sandbox.tools, { ...quiet, resources }),
    openapi: createToolbox(pets, quiet),
    read_result: createToolbox([resultReader({ store: memoryStore() })], quiet),
    samples: wireToolbox({ tools: sampleTools }, { ...settings, spill: false }, memoryStore()),
  };
  try {
    return await judge(subjects as unknown as Readonly<Record<string, ToolSubject>>);
  } finally {
    await resources.close();
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The answers of a search engine and of a pet store; they know nothing of other paths. */
const answers: readonly (readonly [path: RegExp, body: unknown])[] = [
  [/^\/search\b/, { results: [{ title: 'Kyoto', url: 'https://kyoto.example/', content: 'An old city.' }], unresponsive_engines: [] }],
  [/^\/pet\/findByStatus\b/, [{ id: 1, name: 'Mimi', photoUrls: [], status: 'available' }]],
  [/^\/pet\/1$/, { id: 1, name: 'Mimi', photoUrls: [], status: 'available' }],
];

async function startWeb(): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  const server = createServer(({ url = '' }, response) => {
    const body = answers.find(([path]) => path.test(url))?.[1];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { message: 'There is nothing here.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function unknownHost(host: string): Promise<never> {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: host });
}
