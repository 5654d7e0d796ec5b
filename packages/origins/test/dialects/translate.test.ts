import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { gemini, mcp, openai, problem, translate } from 'toolpact/dialects';
import type { Dialect } from 'toolpact/extend';
import { expect, test } from 'vitest';

const meta = { tool: 'search', execution_time_ms: 30_000, resource_type: null, session_id: null, trace_id: 't-1' };
const timedOut = { code: 5005, message: 'timed out after 30s', data: null, meta };

test('a failure is spoken in another dialect', () => {
  expect(translate(timedOut, coded, mcp, { strict: true, effects: 'writes' })).toEqual({
    ok: true,
    json: {
      content: [{ type: 'text', text: '[error: timeout] timed out after 30s\nNext: It may have taken effect; check before repeating it.' }],
      isError: true,
    },
  });
  expect(translate(timedOut, coded, status, { strict: true, effects: 'none' })).toEqual({
    ok: true,
    json: {
      status: 'error',
      input: {},
      error: { type: 'TIMEOUT', message: 'timed out after 30s', retry_after_ms: null },
      meta: { took_ms: 30_000 },
    },
  });
});

test('nothing is lost on a way over several dialects that carry the extension', () => {
  const hops: readonly Dialect[] = [problem, gemini, flat, coded];
  const { json: last } = hops.reduce<{ readonly json: unknown; readonly from: Dialect }>(
    ({ json, from }, to) => {
      const translated = translate(json, from, to, { strict: to === coded });
      return translated.ok ? { json: translated.json, from: to } : expect.unreachable(translated.failure.message);
    },
    { json: timedOut, from: coded },
  );
  expect(last).toEqual(timedOut);
});

test("the options of the target's dialect are its own", () => {
  expect(translate({ content: [{ type: 'text', text: '21' }] }, mcp, openai, { strict: true, form: 'responses', callId: 'c' })).toEqual({
    ok: true,
    json: { type: 'function_call_output', call_id: 'c', output: '21' },
  });
});

test('an envelope that cannot be read says why', () => {
  expect(translate({ code: 9999 }, coded, mcp)).toMatchObject({
    ok: false,
    failure: { kind: 'bad_response', issues: [{ path: ['code'], problem: 'rule' }] },
  });
});

test.each([
  ['a name', 'coded'],
  ['nothing', undefined],
  ['some other object', {}],
])('%s in the place of a dialect is a mistake of the program', (_, wrong) => {
  expect(() => translate({}, wrong as never, mcp)).toThrow('translate takes an envelope and two dialects');
  expect(() => translate({}, coded, wrong as never)).toThrow('translate takes an envelope and two dialects');
});
