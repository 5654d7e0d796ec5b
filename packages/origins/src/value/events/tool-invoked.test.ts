import type { Outcome } from 'toolpact';
import { createEvent, defaultRedactor, makeFailure } from 'toolpact/internal';
import { describe, expect, test } from 'vitest';
import { toToolInvoked } from './tool-invoked.ts';

const meta = { tookMs: 1, attempts: 2, tokenUsage: { input: 3 } };
const facts = {
  call: 'c',
  tool: 'search',
  invocationId: 'i',
  traceId: 't',
  callId: 'call_1',
  sessionId: 's',
  runId: 'run_1',
  requestId: 'r',
  promptName: 'helper',
  adapter: 'openai',
  workerId: 'w',
  spanId: 'b'.repeat(16),
};
const ended = (outcome: Outcome) => createEvent({ type: 'call-end', ...facts, outcome }, { id: 'e', at: 0 });

describe('toToolInvoked', () => {
  test('has every field of the record', () => {
    expect(toToolInvoked(ended({ status: 'ok', data: { hits: 1 }, input: { q: 'a' }, meta }))).toEqual({
      event_id: 'e',
      created_at: '1970-01-01T00:00:00.000Z',
      session_id: 's',
      call_id: 'call_1',
      prompt_name: 'helper',
      adapter: 'openai',
      name: 'search',
      params: { q: 'a' },
      result: { success: true, value: { hits: 1 }, message: 'OK' },
      usage: { input: 3 },
      rendered_output: '{"hits":1}',
      run_context: {
        run_id: 'run_1',
        request_id: 'r',
        session_id: 's',
        attempt: 2,
        worker_id: 'w',
        trace_id: 't',
        span_id: 'b'.repeat(16),
      },
    });
  });

  const error = makeFailure('not_found', { message: 'No such thing.' });
  test.each<[string, Outcome, object]>([
    ['a failure', { status: 'error', error, meta }, { success: false, value: null, message: 'No such thing.' }],
    [
      'a failure with a payload',
      { status: 'error', error, data: { near: 1 }, meta },
      { success: false, value: { near: 1 }, message: 'No such thing.' },
    ],
    ['nothing found', { status: 'ok', data: null, meta }, { success: true, value: null, message: 'OK' }],
    [
      'half a result',
      { status: 'partial', data: [1], failures: [{ index: 1, error }], total: 2, meta },
      { success: false, value: [1], message: '1 of 2 items failed' },
    ],
    [
      'a promise',
      { status: 'pending', pending: { handle: 'h', reason: 'approval' }, meta },
      { success: true, value: { pending: { handle: 'h', reason: 'approval' } }, message: 'OK' },
    ],
  ])('shows %s as a result', (_, outcome, result) => {
    expect(toToolInvoked(ended(outcome)).result).toEqual(result);
  });

  test('shows what is not known as null', () => {
    const { call, tool, invocationId, traceId } = facts;
    const event = createEvent({
      type: 'call-end',
      call,
      tool,
      invocationId,
      traceId,
      outcome: { status: 'ok', data: 1, meta: { tookMs: 1, attempts: 1 } },
    });
    expect(toToolInvoked(event)).toMatchObject({
      session_id: null,
      call_id: null,
      prompt_name: null,
      adapter: null,
      params: null,
      usage: null,
    });
  });

  test('never cuts a character in half', () => {
    const event = ended({ status: 'ok', data: `${'x'.repeat(999)}😀`, meta });
    expect(toToolInvoked(event).rendered_output).toBe('x'.repeat(999));
  });

  test('cuts what the model reads to 1,000 characters, and hides secrets where it leaves the process', () => {
    const data = { password: 'hunter2', text: 'x'.repeat(5000) };
    const outcome: Outcome = { status: 'ok', data, message: 'password=hunter2', input: { token: 'hunter2' }, meta };
    expect(toToolInvoked(ended(outcome)).rendered_output).toHaveLength(1000);
    expect(JSON.stringify(toToolInvoked(ended(outcome), { redactor: defaultRedactor }))).not.toContain('hunter2');
  });
});
