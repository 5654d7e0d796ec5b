import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createServer } from '../create-server.ts';

const tenantId = '11111111-1111-4111-8111-111111111111';
const send = defineTool({
  name: 'send',
  description: 'Sends a letter.',
  input: z.object({ to: z.string(), note: z.string().optional(), password: z.string().optional(), bcc: z.string().optional() }),
  approval: true,
  run: ({ to }) => ({ to }),
});

interface Answer {
  readonly resultType: string;
  readonly requestState?: string;
  readonly inputRequests?: {
    readonly approval?: { readonly params: { readonly message: string; readonly requestedSchema: { readonly properties: object } } };
  };
  readonly structuredContent?: object;
  readonly content?: { readonly text: string }[];
}

/** A server of one tenant, asked in the way of 2026-07-28 by a client whose user can be asked. */
function createMailbox() {
  const toolbox = createToolbox([send], { store: memoryStore(), report: () => undefined });
  const server = createServer(toolbox, {
    auth: ({ headers }) => ({ tenantId, subject: headers.get('authorization') ?? '', scopes: ['*'] }),
  });
  return async (subject: string, extra: object = {}, to = 'you'): Promise<Answer> => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const response = await server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          host: 'localhost',
          authorization: subject,
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'send',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'send', arguments: { to }, ...extra, _meta } }),
      }),
    );
    return ((await response.json()) as { result: Answer }).result;
  };
}

const yes = { approval: { action: 'accept', content: { approve: true } } };

test('a yes lets the call run that was asked about, once', async () => {
  const ask = createMailbox();
  const { requestState } = await ask('ann');
  expect(await ask('ann', { requestState, inputResponses: yes })).toMatchObject({ structuredContent: { to: 'you' } });
  expect(await ask('ann', { requestState, inputResponses: yes })).toMatchObject({ resultType: 'input_required' });
});

test('a yes does not count for other arguments', async () => {
  const ask = createMailbox();
  const { requestState } = await ask('ann');
  expect(await ask('ann', { requestState, inputResponses: yes }, 'them')).toMatchObject({ resultType: 'input_required' });
});

test.each<[string, (state: string) => { subject?: string; requestState?: unknown; inputResponses?: unknown }]>([
  ['another user brings', () => ({ subject: 'ben' })],
  ['comes with a changed state', (state) => ({ requestState: `${state.slice(0, -4)}AAAA` })],
  ['comes with a state from nowhere', () => ({ requestState: 'toolpact.v1.e30.e30' })],
  ['comes without its state', () => ({ requestState: undefined })],
  ['is no answer', () => ({ inputResponses: {} })],
  ['is given up', () => ({ inputResponses: { approval: { action: 'cancel' } } })],
  ['says neither yes nor no', () => ({ inputResponses: { approval: { action: 'accept', content: { approve: 'yes' } } } })],
])('an answer that %s decides nothing', async (_, change) => {
  const ask = createMailbox();
  const { requestState = '' } = await ask('ann');
  const { subject = 'ann', ...changed } = change(requestState);
  expect(await ask(subject, { requestState, inputResponses: yes, ...changed })).toMatchObject({ resultType: 'input_required' });
  expect(await ask('ann', { requestState, inputResponses: yes })).toMatchObject({ structuredContent: { to: 'you' } });
});

test('the form has the arguments, and the call runs with those that the user changed, as far as they fit', async () => {
  const ask = createMailbox();
  const first = await ask('ann');
  expect(first.inputRequests?.approval?.params.requestedSchema).toMatchObject({
    properties: { approve: { type: 'boolean' }, to: { type: 'string', default: 'you' } },
    required: ['approve'],
  });
  const answer = (content: object) => ({ approval: { action: 'accept', content: { approve: true, ...content } } });
  // No letter has a number for a receiver: nothing is decided.
  const wrong = await ask('ann', { requestState: first.requestState, inputResponses: answer({ to: 7 }) });
  expect(wrong).toMatchObject({ resultType: 'input_required' });
  const sent = await ask('ann', { requestState: first.requestState, inputResponses: answer({ to: 'them', bcc: 'mallory' }) });
  expect(sent).toMatchObject({ structuredContent: { to: 'them' } });
  expect(sent.content?.[0]?.text).toContain('changed the arguments before it ran: to is "them" instead of "you".');
});

test('arguments of which something is hidden cannot be changed in the form', async () => {
  const ask = createMailbox();
  const { inputRequests } = await ask('ann', { arguments: { to: 'you', password: 'hunter2' } });
  expect(Object.keys(inputRequests?.approval?.params.requestedSchema.properties ?? {})).toEqual(['approve']);
});

test('a no is final for that call', async () => {
  const ask = createMailbox();
  const { requestState } = await ask('ann');
  const no = { approval: { action: 'decline' } };
  const { content } = await ask('ann', { requestState, inputResponses: no });
  expect(content?.[0]?.text).toContain('[error: denied] send was denied by ann');
  expect((await ask('ann', { requestState, inputResponses: yes })).content?.[0]?.text).toContain('[error: denied]');
});

test('a long argument does not hide those that follow it, and secrets are hidden and counted', async () => {
  const ask = createMailbox();
  const args = { to: 'you', note: 'x'.repeat(20_000), password: 'hunter2', bcc: 'mallory' };
  const { inputRequests } = await ask('ann', { arguments: args });
  const message = inputRequests?.approval?.params.message ?? '';
  expect(message).toContain('(Not all of the arguments are shown: 1 hidden as secret, 1 cut or not readable.)');
  expect(message).toMatch(/"note":"x+… \[\d+ more characters\]","password":"\[redacted\]","bcc":"mallory"\}$/);
});
