import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createToolbox, defineTool, type Outcome } from 'toolpact';
import { healHistory, type Repair, safeCuts } from 'toolpact/history';
import { z } from 'zod';

// An agent books a flight and a hotel at once, and its process dies before any result is stored. From then on the provider refuses the whole
// conversation. One line makes it acceptable again: with the flight's real result, and with the truth about the hotel.

interface Message {
  role: string;
  content: string | null;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

// A provider's checks in its own words, as a real HTTP server on this machine.
async function judge(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages }: { messages: Message[] } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const open = new Set<string>();
  let problem = '';
  for (const { role, tool_calls, tool_call_id = '' } of messages) {
    if (role === 'tool' && !open.delete(tool_call_id))
      problem ||= "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
    if (role !== 'tool' && open.size > 0) problem ||= `these tool_call_ids did not have response messages: ${[...open].join(', ')}`;
    for (const { id } of tool_calls ?? []) open.add(id);
  }
  response.writeHead(problem === '' ? 200 : 400).end(problem);
}
const provider = createServer((request, response) => void judge(request, response));
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));

// The ledger: what the toolbox knows of every call that ended, whether or not the conversation was stored. In production a table.
const ledger = new Map<string, Outcome>();
const bookFlight = defineTool({
  name: 'book_flight',
  description: 'Books a flight.',
  input: z.object({ city: z.string() }),
  run: ({ city }) => ({ ticket: `LH-7 to ${city}` }),
});
const toolbox = createToolbox([bookFlight]);
toolbox.subscribe((event) => event.type === 'call-end' && event.callId && ledger.set(event.callId, event.outcome));

const call = (id: string, name: string, args: string) => ({ id, type: 'function' as const, function: { name, arguments: args } });
const stored: Message[] = [
  { role: 'user', content: 'A weekend in Kyoto, please.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [call('c1', 'book_flight', '{"city":"Kyoto"}'), call('c2', 'book_hotel', '{"city":"Kyoto"}')],
  },
];
await toolbox.answer({ name: 'book_flight', args: { city: 'Kyoto' }, callId: 'c1' });
// Here the process dies: nothing was stored, and it is unknown whether the hotel was booked.
stored.push({ role: 'user', content: 'Are you still there?' });

console.log(`\n1. Without healing, the provider answers   ${await send(stored)}`);
assert.match(await send(stored), /^400 .*c1, c2/);

const repairs: Repair[] = [];
const healed = healHistory(stored, { provider: 'openai', ledger, onRepair: (repair) => repairs.push(repair) });
console.log(`\n2. healHistory(messages, { provider: 'openai', ledger })   ${await send(healed)}\n`);
for (const { role, content, tool_call_id } of healed)
  if (role === 'tool') console.log(`   the model reads about ${tool_call_id}   ${content}`);
assert.equal(await send(healed), '200');
assert.equal(healed[2]?.content, '{"ticket":"LH-7 to Kyoto"}');
assert.match(healed[3]?.content ?? '', /^\[error: interrupted\] .*\nNext: It may have taken effect; check before repeating it\.$/);
assert.deepEqual(
  repairs.map(({ callId, from }) => [callId, from]),
  [
    ['c1', 'ledger'],
    ['c2', 'nowhere'],
  ],
);
assert.equal(healHistory(healed, { provider: 'openai' }), healed, 'healing what is whole gives it back as it is');

const cuts = safeCuts(healed);
console.log(`\n3. safeCuts(messages)   ${JSON.stringify(cuts)}: cut there to save tokens, and no call loses its result`);
assert.deepEqual(cuts, [0, 1, 4]);
assert.match(await send(healed.slice(2)), /^400 messages with role 'tool'/);
for (const cut of cuts) assert.equal(await send(healed.slice(cut)), '200');

provider.close();
provider.closeAllConnections();
console.log();

async function send(messages: Message[]): Promise<string> {
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const response = await fetch(origin, { method: 'POST', body: JSON.stringify({ messages }) });
  return `${response.status} ${await response.text()}`.trim();
}
