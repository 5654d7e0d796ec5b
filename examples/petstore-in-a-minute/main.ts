import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromOpenApi } from '@toolpact/openapi';
import { createToolbox, type Outcome, toModelText } from 'toolpact';
import { petstore } from './petstore.ts';

// From a description to tools an agent can use, in three lines. The store is a real HTTP server on this machine.

const token = 'story-token-4711';
const pets = new Map<number, Record<string, unknown>>();

const store = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy());
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
  response.setHeader('connection', 'close');
  let body = '';
  for await (const chunk of request) body += chunk;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store');
  if (request.headers.authorization !== `Bearer ${token}`) return answer(response, 401, { message: 'log in first' });
  if (request.method === 'POST') {
    const pet = { id: pets.size + 1, ...JSON.parse(body) };
    if (pet.name === '') return answer(response, 422, { message: 'a pet needs a name' });
    pets.set(pet.id, pet);
    return answer(response, 200, pet);
  }
  if (pathname.endsWith('/findByStatus'))
    return answer(
      response,
      200,
      [...pets.values()].filter(({ status }) => status === searchParams.get('status')),
    );
  const pet = pets.get(Number(pathname.split('/').at(-1)));
  return pet === undefined ? answer(response, 404, { message: 'Pet not found' }) : answer(response, 200, pet);
}

function answer(response: ServerResponse, status: number, value: unknown): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${(store.address() as AddressInfo).port}/api/v3`;

const { tools, skipped } = fromOpenApi(petstore, { baseUrl, auth: { petstore_auth: token } });
const toolbox = createToolbox(tools, { report: () => {} });

assert.deepEqual(skipped, []);
assert.deepEqual(
  toolbox.list().map(({ name, effects, inputSchema }) => [name, effects, Object.keys(inputSchema.properties as object)]),
  [
    ['addPet', 'writes', ['name', 'photoUrls', 'status']],
    ['findPetsByStatus', 'none', ['status']],
    ['getPetById', 'none', ['petId']],
  ],
);

const added = await ask('addPet', { name: 'Mimi', photoUrls: [], status: 'available' });
assert.ok(added.status === 'ok');
assert.deepEqual(added.data, { id: 1, name: 'Mimi', photoUrls: [], status: 'available' });

const found = await ask('findPetsByStatus', { status: 'available' });
assert.ok(found.status === 'ok' && Array.isArray(found.data) && found.data.length === 1);

const missing = await ask('getPetById', { petId: 99 });
assert.ok(missing.status === 'error' && missing.error.kind === 'not_found' && missing.error.code === 'http_404');

const nameless = await ask('addPet', { name: '', photoUrls: [] });
assert.ok(nameless.status === 'error' && nameless.error.kind === 'invalid_input' && nameless.error.effect === 'none');

const wrong = await ask('add-pet', { name: 'Mimi', status: 'asleep' });
assert.ok(wrong.status === 'error' && wrong.error.issues?.length === 2);

await new Promise((resolve) => store.close(resolve));
console.log('\nA description and a token: that was all it took.\n');

/** Asks as a model does: any spelling of the name, arguments as they come. */
async function ask(name: string, args: Readonly<Record<string, unknown>>): Promise<Outcome> {
  const outcome = await toolbox.answer({ name, args });
  console.log(`\n${name} ${JSON.stringify(args)}\n  ${toModelText(outcome).replaceAll('\n', '\n  ')}`);
  return outcome;
}
