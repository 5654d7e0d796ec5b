import { describe, expect, test } from 'vitest';
import { type JsonObject, makeFailure, type Outcome } from '../outcome/index.ts';
import { mcp } from './mcp.ts';

const meta = { tookMs: 3, attempts: 1 };
const error = makeFailure('rate_limited', { message: 'The map service asks to slow down.', retryAfterMs: 7000 });

describe('mcp', () => {
  test.each<readonly [title: string, outcome: Outcome, result: object]>([
    [
      'an object as text and as structured content',
      { status: 'ok', data: { celsius: 21 }, meta },
      { content: [{ type: 'text', text: '{"celsius":21}' }], structuredContent: { celsius: 21 } },
    ],
    ['anything else as text alone', { status: 'ok', data: [1, 2], meta }, { content: [{ type: 'text', text: '[1,2]' }] }],
    [
      'text first and every other block after it',
      {
        status: 'ok',
        data: {},
        content: [
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
          { type: 'text', text: 'A map.' },
          { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
          { type: 'resource', uri: 'file:///a.txt', mimeType: 'text/plain', text: 'inside' },
          { type: 'resource', uri: 'file:///b.bin', data: 'aGk=' },
          { type: 'resource', uri: 'https://c.example/c' },
        ],
        meta,
      },
      {
        content: [
          { type: 'text', text: 'A map.\ninside' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
          { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'inside' } },
          { type: 'resource', resource: { uri: 'file:///b.bin', blob: 'aGk=' } },
          { type: 'resource_link', uri: 'https://c.example/c', name: 'https://c.example/c' },
        ],
        structuredContent: {},
      },
    ],
    [
      'a failure as text that tells what failed and what to do, and never as structured content',
      { status: 'error', error, data: { seen: 1 }, fallback: { celsius: 0 }, meta },
      {
        content: [{ type: 'text', text: '[error: rate_limited] The map service asks to slow down.\nNext: Wait 7 s before trying again.' }],
        isError: true,
      },
    ],
    [
      'a partial result unflagged, its text leading with how many failed',
      { status: 'partial', data: { a: 1 }, failures: [{ index: 1, error }], total: 2, meta },
      {
        content: [
          {
            type: 'text',
            text: '[partial] 1 of 2 failed.\n{"a":1}\n- item 1: rate_limited: The map service asks to slow down. (Wait 7 s before trying again.)',
          },
        ],
        structuredContent: { a: 1 },
      },
    ],
    [
      'a pending call unflagged',
      { status: 'pending', pending: { handle: 'h-1', reason: 'approval' }, meta },
      {
        content: [{ type: 'text', text: '[pending: approval] Waiting for approval. Tell the user. (handle: h-1)' }],
        structuredContent: { pending: { handle: 'h-1', reason: 'approval' } },
      },
    ],
  ])('writes %s', (_, outcome, result) => expect(mcp.encode(outcome, { strict: true })).toEqual(result));

  test('writes any value as structured content where the client takes it', () => {
    const result = mcp.encode({ status: 'ok', data: [1, 2], meta }, { structured: 'any' });
    expect(result).toMatchObject({ content: [{ type: 'text', text: '[1,2]' }], structuredContent: [1, 2] });
    expect(mcp.decode(result)).toEqual({ ok: true, outcome: { status: 'ok', data: [1, 2], meta } });
  });

  test('carries the failure for machines under its own key of _meta', () => {
    const result = mcp.encode({ status: 'error', error, meta });
    expect(result._meta).toEqual({ 'toolpact/outcome': { v: 1, status: 'error', error, meta } });
    expect(Object.keys(result)).toEqual(['content', 'isError', '_meta']);
  });

  test.each<readonly [title: string, result: JsonObject, outcome: object]>([
    ['text', { content: [{ type: 'text', text: 'Sunny' }] }, { status: 'ok', data: 'Sunny' }],
    [
      'structured content',
      { content: [{ type: 'text', text: '21 degrees' }], structuredContent: { celsius: 21 } },
      { status: 'ok', data: { celsius: 21 }, content: [{ type: 'text', text: '21 degrees' }] },
    ],
    [
      'an image',
      { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
      { status: 'ok', data: '', content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
    ],
    [
      'a link and a block of a type that is not known yet',
      {
        content: [
          { type: 'resource_link', uri: 'x:y', name: 'y' },
          { type: 'hologram', frames: 3 },
        ],
      },
      {
        status: 'ok',
        data: '',
        content: [{ type: 'resource', uri: 'x:y' }],
        meta: { warnings: ['1 of 2 content blocks are of a type that is not known, and were left out'] },
      },
    ],
    [
      'a foreign failure',
      { content: [{ type: 'text', text: 'MCP error -32602' }], isError: true },
      { status: 'error', error: { kind: 'failed', recovery: 'see_message', message: 'MCP error -32602', effect: 'unknown' } },
    ],
    [
      'a foreign failure without a text',
      { content: [], isError: true },
      { status: 'error', error: { kind: 'failed', recovery: 'stop', message: 'The call failed.' } },
    ],
    [
      'a foreign failure whose words lie in structured content',
      { content: [], isError: true, structuredContent: { error: 'no such city' } },
      { status: 'error', error: { kind: 'failed', message: '{"error":"no such city"}' }, data: { error: 'no such city' } },
    ],
    [
      'a foreign failure whose words lie in a resource',
      { content: [{ type: 'resource', resource: { uri: 'x:y', text: 'The disk is full.' } }], isError: true },
      { status: 'error', error: { message: 'The disk is full.' } },
    ],
    [
      'a result with nulls for what it lacks',
      { content: [{ type: 'text', text: 'Sunny' }], isError: null, _meta: null },
      { data: 'Sunny' },
    ],
    [
      'a marked failure',
      { content: [{ type: 'text', text: '[error: not_found/no_such_station] There is no Uji.' }], isError: true },
      { status: 'error', error: { kind: 'not_found', code: 'no_such_station', message: 'There is no Uji.' } },
    ],
    [
      'a marked failure whose flag a host dropped',
      { content: [{ type: 'text', text: '[error: timeout] late' }] },
      { status: 'error', error: { kind: 'timeout', message: 'late' } },
    ],
    [
      'a marked failure whose advice does not know whether it took effect',
      { content: [{ type: 'text', text: '[error: timeout] late\nNext: Try again in a moment.' }], isError: true },
      {
        status: 'error',
        error: { kind: 'timeout', message: 'late', recovery: 'verify', advice: 'It may have taken effect; check before repeating it.' },
      },
    ],
    [
      'a marked refusal with its advice',
      { content: [{ type: 'text', text: '[error: not_found] There is no Uji.\nNext: Ask for a station.' }], isError: true },
      { status: 'error', error: { kind: 'not_found', recovery: 'fix_input', effect: 'unknown', advice: 'Ask for a station.' } },
    ],
    [
      'a marked failure of a newer peer',
      { content: [{ type: 'text', text: '[error: quantum_noise] odd' }], isError: true },
      { status: 'error', error: { kind: 'internal', code: 'quantum_noise', retryable: false } },
    ],
    [
      'a partial result as a failure that keeps its data',
      { content: [{ type: 'text', text: '[partial] 1 of 2 failed.\n{}' }], structuredContent: { a: 1 } },
      { status: 'error', error: { kind: 'upstream', code: 'partial_failure' }, data: { a: 1 } },
    ],
  ])('reads %s', (_, result, outcome) => expect(mcp.decode(result)).toMatchObject({ ok: true, outcome }));

  test.each<readonly [json: JsonObject, issue: object]>([
    [{}, { path: ['content'], problem: 'missing' }],
    [{ content: 'text' }, { path: ['content'], problem: 'type' }],
    [{ content: ['text'] }, { path: ['content', 0], problem: 'type' }],
    [{ content: [{ text: 'x' }] }, { path: ['content', 0, 'type'], problem: 'missing' }],
    [{ content: [{ type: null, text: 'x' }] }, { path: ['content', 0, 'type'], problem: 'type' }],
    [{ content: [{ type: 'text' }] }, { path: ['content', 0, 'text'], problem: 'missing' }],
    [{ content: [{ type: 'image', data: 5, mimeType: 'x' }] }, { path: ['content', 0, 'data'], problem: 'type' }],
    [{ content: [{ type: 'resource' }] }, { path: ['content', 0, 'resource'], problem: 'missing' }],
    [
      { content: [], isError: 'no' },
      { path: ['isError'], problem: 'type' },
    ],
    [
      { content: [], _meta: 5 },
      { path: ['_meta'], problem: 'type' },
    ],
    [
      { content: [], _meta: { 'toolpact/outcome': { v: 1 } } },
      { path: ['_meta', 'toolpact/outcome', 'status'], problem: 'missing' },
    ],
  ])('refuses %j', (json, issue) =>
    expect(mcp.decode(json)).toMatchObject({ ok: false, failure: { kind: 'bad_response', issues: [issue] } }),
  );
});
