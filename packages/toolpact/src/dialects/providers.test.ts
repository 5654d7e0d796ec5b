import { describe, expect, test } from 'vitest';
import { catalogue, type FailureKind, type JsonObject, makeFailure, type Outcome, toModelText } from '../outcome/index.ts';
import { mcp } from './mcp.ts';
import { anthropic } from './providers/anthropic.ts';
import { gemini } from './providers/gemini.ts';
import { openai } from './providers/openai.ts';

const meta = { tookMs: 3, attempts: 1, callId: 'c-1', tool: 'rag:search' };
const error = makeFailure('not_found', { message: 'There is no Uji.', code: 'no_such_station' });
const ok: Outcome = { status: 'ok', data: { celsius: 21 }, meta };
const failed: Outcome = { status: 'error', error, meta };
const text = toModelText(failed);
const partial: Outcome = { status: 'partial', data: [1, null], failures: [{ index: 1, error }], total: 2, meta };
const pending: Outcome = { status: 'pending', pending: { handle: 'h-1', reason: 'running' }, meta };
const partialText = '[partial] 1 of 2 failed.\n[1,null]\n- item 1: not_found: There is no Uji. (Check the name or id before trying again.)';
const pendingText = '[pending: running] Still running. Do not call it again. (handle: h-1)';
const shown: Outcome = {
  ...ok,
  content: [
    { type: 'text', text: 'A map.' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    { type: 'resource', uri: 'file:///a.pdf', mimeType: 'application/pdf', data: 'aGk=' },
  ],
} as Outcome;

describe('openai', () => {
  test.each<readonly [title: string, outcome: Outcome, content: string]>([
    ['a result', ok, '{"celsius":21}'],
    ['a failure', failed, text],
    ['a partial result', partial, partialText],
    ['a pending call', pending, pendingText],
    ['what cannot be shown', shown, 'A map.\n[image: image/png, not shown]\n[audio: audio/wav, not shown]\n[resource: file:///a.pdf]'],
  ])('writes %s as a tool message', (_, outcome, content) => {
    expect(openai.encode(outcome, { strict: true })).toEqual({ role: 'tool', tool_call_id: 'c-1', content });
  });

  test.each<readonly [title: string, outcome: Outcome, output: unknown]>([
    ['a result', ok, '{"celsius":21}'],
    ['a failure', failed, text],
    [
      'an image',
      shown,
      [
        { type: 'input_text', text: 'A map.\n[audio: audio/wav, not shown]\n[resource: file:///a.pdf]' },
        { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
      ],
    ],
  ])('writes %s as a function call output', (_, outcome, output) => {
    expect(openai.encode(outcome, { strict: true, form: 'responses', callId: 'call_9' })).toEqual({
      type: 'function_call_output',
      call_id: 'call_9',
      output,
    });
  });

  test.each<readonly [json: JsonObject, outcome: object]>([
    [
      { role: 'tool', tool_call_id: 'c-1', content: '{"celsius":21}' },
      { status: 'ok', data: '{"celsius":21}', meta: { callId: 'c-1' } },
    ],
    [
      { role: 'tool', tool_call_id: 'c-1', content: text },
      { status: 'error', error: { kind: 'not_found', code: 'no_such_station' } },
    ],
    [
      {
        role: 'tool',
        tool_call_id: 'c-1',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { status: 'ok', data: 'a\nb' },
    ],
    [
      { type: 'function_call_output', call_id: 'c-1', output: partialText },
      { status: 'error', error: { kind: 'upstream', code: 'partial_failure' } },
    ],
    [
      { type: 'function_call_output', call_id: 'c-1', output: pendingText },
      { status: 'pending', pending: { handle: 'h-1', reason: 'running' } },
    ],
    [
      { type: 'function_call_output', call_id: '', output: '[pending: approval] Waiting for approval. Tell the user. (handle: h-2)' },
      { status: 'pending', pending: { handle: 'h-2', reason: 'approval' } },
    ],
  ])('reads %j', (json, outcome) => expect(openai.decode(json)).toMatchObject({ ok: true, outcome }));

  test.each<readonly [json: JsonObject, issue: object]>([
    [
      { role: 'assistant', content: 'x' },
      { path: ['role'], problem: 'rule' },
    ],
    [{ content: 'x' }, { path: [], problem: 'rule' }],
    [
      { role: 'tool', content: 'x' },
      { path: ['tool_call_id'], problem: 'missing' },
    ],
    [
      { role: 'tool', tool_call_id: 5, content: 'x' },
      { path: ['tool_call_id'], problem: 'type' },
    ],
    [
      { role: 'tool', tool_call_id: 'c', content: 5 },
      { path: ['content'], problem: 'type' },
    ],
    [
      { role: 'tool', tool_call_id: 'c', content: [5] },
      { path: ['content', 0], problem: 'type' },
    ],
    [
      { type: 'function_call_output', call_id: 'c' },
      { path: ['output'], problem: 'missing' },
    ],
  ])('refuses %j', (json, issue) => expect(openai.decode(json)).toMatchObject({ ok: false, failure: { issues: [issue] } }));
});

describe('anthropic', () => {
  test.each<readonly [title: string, outcome: Outcome, result: object]>([
    ['a result', ok, { content: '{"celsius":21}' }],
    ['a failure flagged', failed, { content: text, is_error: true }],
    ['a partial result unflagged', partial, { content: partialText }],
    ['a pending call unflagged', pending, { content: pendingText }],
    [
      'images and documents',
      shown,
      {
        content: [
          { type: 'text', text: 'A map.\n[audio: audio/wav, not shown]' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' } },
        ],
      },
    ],
  ])('writes %s', (_, outcome, result) => {
    expect(anthropic.encode(outcome, { strict: true })).toEqual({ type: 'tool_result', tool_use_id: 'c-1', ...result });
  });

  test.each<readonly [json: JsonObject, outcome: object]>([
    [
      { type: 'tool_result', tool_use_id: 't' },
      { status: 'ok', data: '', meta: { callId: 't' } },
    ],
    [
      { type: 'tool_result', tool_use_id: 't', content: 'Error: boom', is_error: true },
      { status: 'error', error: { kind: 'failed', recovery: 'see_message', message: 'Error: boom' } },
    ],
    [
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text }], is_error: true },
      { status: 'error', error: { kind: 'not_found' } },
    ],
  ])('reads %j', (json, outcome) => expect(anthropic.decode(json)).toMatchObject({ ok: true, outcome }));

  test.each<readonly [json: JsonObject, issue: object]>([
    [
      { type: 'text', text: 'x' },
      { path: ['type'], problem: 'rule' },
    ],
    [
      { type: 'tool_result', content: 'x' },
      { path: ['tool_use_id'], problem: 'missing' },
    ],
    [
      { type: 'tool_result', tool_use_id: 't', content: 5 },
      { path: ['content'], problem: 'type' },
    ],
    [
      { type: 'tool_result', tool_use_id: 't', is_error: 'yes' },
      { path: ['is_error'], problem: 'type' },
    ],
  ])('refuses %j', (json, issue) => expect(anthropic.decode(json)).toMatchObject({ ok: false, failure: { issues: [issue] } }));
});

describe('gemini', () => {
  test.each<readonly [title: string, outcome: Outcome, response: object]>([
    ['a result under output', ok, { output: { celsius: 21 } }],
    ['a primitive under output', { ...ok, data: 21 } as Outcome, { output: 21 }],
    ['null under output', { ...ok, data: null } as Outcome, { output: null }],
    ['what the tool wrote for the model', { ...ok, content: [{ type: 'text', text: '21 degrees' }] } as Outcome, { output: '21 degrees' }],
    ['a failure under error', failed, { error: text }],
    ['a partial result under output', partial, { output: partialText }],
    ['a pending call under output', pending, { output: pendingText }],
  ])('writes %s', (_, outcome, response) => {
    expect(gemini.encode(outcome, { strict: true })).toEqual({ functionResponse: { id: 'c-1', name: 'rag_search', response } });
  });

  test('writes the name it was offered under', () => {
    expect(gemini.encode(ok, { strict: true, name: 'rag.search', callId: 'x' })).toMatchObject({
      functionResponse: { id: 'x', name: 'rag.search' },
    });
  });

  test.each<readonly [response: JsonObject, outcome: object]>([
    [{ output: { celsius: 21 } }, { status: 'ok', data: { celsius: 21 } }],
    [{ celsius: 21 }, { status: 'ok', data: { celsius: 21 } }],
    [{ error: text }, { status: 'error', error: { kind: 'not_found', code: 'no_such_station' } }],
    [{ error: 'boom' }, { status: 'error', error: { kind: 'failed', recovery: 'see_message', message: 'boom' } }],
    [
      { error: { code: 7 } },
      { status: 'error', error: { kind: 'upstream', message: 'The call failed.', details: { error: { code: 7 } } } },
    ],
  ])('reads %j', (response, outcome) => {
    expect(gemini.decode({ functionResponse: { name: 'f', response } })).toMatchObject({
      ok: true,
      outcome: { ...outcome, meta: { tool: 'f' } },
    });
  });

  test.each<readonly [json: JsonObject, issue: object]>([
    [{}, { path: ['functionResponse'], problem: 'missing' }],
    [{ functionResponse: 5 }, { path: ['functionResponse'], problem: 'type' }],
    [{ functionResponse: { response: {} } }, { path: ['functionResponse', 'name'], problem: 'missing' }],
    [{ functionResponse: { name: 'f' } }, { path: ['functionResponse', 'response'], problem: 'missing' }],
    [{ functionResponse: { name: 'f', response: 5 } }, { path: ['functionResponse', 'response'], problem: 'type' }],
    [{ functionResponse: { name: 'f', response: { output: 1, error: 'x' } } }, { path: ['functionResponse', 'response'], problem: 'rule' }],
    ...[null, false, 0, ['boom']].map((error): readonly [JsonObject, object] => [
      { functionResponse: { name: 'f', response: { error } } },
      { path: ['functionResponse', 'response', 'error'], problem: 'type' },
    ]),
  ])('refuses %j', (json, issue) => expect(gemini.decode(json)).toMatchObject({ ok: false, failure: { issues: [issue] } }));
});

test.each(Object.keys(catalogue) as FailureKind[])('%s reaches every model with the same leading marker', (kind) => {
  const outcome: Outcome = { status: 'error', error: makeFailure(kind, { message: 'It went wrong.' }), meta };
  const chat = openai.encode(outcome, { strict: true });
  const output = openai.encode(outcome, { strict: true, form: 'responses' });
  const response = gemini.encode(outcome, { strict: true }).functionResponse.response;
  const texts = [
    'content' in chat && chat.content,
    'output' in output && output.output,
    anthropic.encode(outcome, { strict: true }).content,
    'error' in response && response.error,
    (mcp.encode(outcome, { strict: true }).content[0] as { text: string }).text,
  ];
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toMatch(new RegExp(`^\\[error: ${kind}\\] It went wrong\\.\\nNext: .+`));
});

test.each<readonly [mimeType: string, data: string, content: unknown]>([
  ['image/svg+xml', '', '[image: image/svg+xml, not shown]'],
  ['image/webp', '', [{ type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'aGk=' } }]],
])('anthropic is given %s only if it takes it, and never a block without text', (mimeType, data, content) => {
  const image: Outcome = { status: 'ok', data, content: [{ type: 'image', data: 'aGk=', mimeType }], meta };
  expect(anthropic.encode(image, { strict: true }).content).toEqual(content);
});

test('openai is not given an image of a type that it refuses', () => {
  const image: Outcome = { status: 'ok', data: 'A map.', content: [{ type: 'image', data: 'aGk=', mimeType: 'image/svg+xml' }], meta };
  expect(openai.encode(image, { form: 'responses', strict: true })).toMatchObject({ output: 'A map.\n[image: image/svg+xml, not shown]' });
});
