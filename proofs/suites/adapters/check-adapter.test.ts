import { type AnyTool, defineTool, type Outcome, ok, partial, pending, toModelText } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toToolFailure } from '../../../packages/toolpact/src/outcome/index.ts';
import { adapterCases, createCaseToolbox } from './adapter-cases.ts';
import { adapterChecks } from './adapter-checks.ts';
import type { AdapterAnswer, AdapterRun, AdapterSubject } from './adapter-subject.ts';
import { checkAdapter } from './check-adapter.ts';

/** The smallest host there can be: it calls the tool, and the model reads the text and the blocks. */
async function run({ toolbox, call }: AdapterRun): Promise<AdapterAnswer> {
  const outcome = await toolbox.answer({ name: call.name, args: call.json, callId: call.id });
  const blocks = 'content' in outcome ? JSON.stringify(outcome.content) : '';
  return { text: `${toModelText(outcome)}${blocks}`, failed: outcome.status === 'error', ended: true };
}

/** The tool of the cases, wrapped by hand. */
const rewrapped = (run: (args: unknown, callId: string) => unknown): AnyTool =>
  defineTool({
    name: 'conclude',
    description: 'Ends.',
    input: z.object({ how: z.string() }),
    run: (args, { callId = '' }) => run(args, callId),
  });

function toReply(outcome: Outcome): unknown {
  switch (outcome.status) {
    case 'ok':
      return ok(outcome.data, { content: outcome.content ?? [] });
    case 'partial':
      return partial(outcome.data, outcome.failures, { total: outcome.total });
    case 'pending':
      return pending(outcome.pending);
    case 'error':
      return toToolFailure(outcome.error);
  }
}

const plain: AdapterSubject = {
  name: 'plain',
  run,
  wrap: ({ answer }) => [rewrapped(async (args, callId) => toReply(await answer({ name: 'conclude', args, callId })))],
};

test('a sound adapter has no findings, with or without a flag, with or without wrapped tools', async () => {
  expect(await checkAdapter(plain)).toEqual([]);
  const { wrap: _, ...outbound } = plain;
  expect(await checkAdapter({ ...outbound, run: async (given) => ({ ...(await run(given)), failed: undefined }) })).toEqual([]);
});

test('every kind of failure is tried, with and without a code, and every other way to end', () => {
  expect(adapterCases.filter(({ status }) => status === 'error')).toHaveLength(46);
  expect(new Set(adapterCases.map(({ status }) => status))).toEqual(new Set(['error', 'ok', 'partial', 'pending']));
});

const altered = (change: (answer: AdapterAnswer, given: AdapterRun) => AdapterAnswer): AdapterSubject => ({
  name: 'altered',
  run: async (given) => change(await run(given), given),
});

/** For each check, an adapter that breaks what it requires and, as far as possible, nothing else. */
const broken: Readonly<Record<string, readonly (readonly [title: string, adapter: AdapterSubject, message: RegExp])[]>> = {
  'adapter/answers': [
    [
      'throws for failures',
      {
        name: 'throws',
        run: async (given) => {
          const answer = await run(given);
          if (answer.failed === true) throw new Error(answer.text);
          return answer;
        },
      },
      /^timeout: the run threw Error: \[error: timeout\]/m,
    ],
    ['ends early', altered((answer) => ({ ...answer, ended: answer.failed !== true })), /^denied: the run did not reach its end/m],
    [
      'leaves calls unanswered',
      altered(({ text, ...answer }) => (text === 'null' ? answer : { ...answer, text })),
      /^nothing: the call was not answered/m,
    ],
  ],
  'adapter/flag': [
    ['flags nothing', altered((answer) => ({ ...answer, failed: false })), /^conflict: it is not flagged/m],
    [
      'flags what is pending',
      altered((answer) => ({ ...answer, failed: answer.failed === true || answer.text?.startsWith('[pending:') === true })),
      /^pending: host: it is flagged/m,
    ],
  ],
  'adapter/text': [
    [
      'hides messages',
      altered((answer) => (answer.failed === true ? { ...answer, text: 'An error occurred.' } : answer)),
      /^internal: the model does not read "error: internal", "Case internal came about\."/m,
    ],
    [
      'hides what failed of a part',
      altered((answer) => ({ ...answer, text: answer.text?.split('\n')[0] })),
      /^a partial result: the model does not read "first", "The second/m,
    ],
    [
      'hides codes',
      altered((answer) => ({ ...answer, text: answer.text?.replace(/\/own_\w+/, '') })),
      /^timeout with a code: the model does not read "own_timeout"/m,
    ],
  ],
  'adapter/content': [
    ['drops blocks', altered((answer) => ({ ...answer, text: answer.text?.replace(/\[\{"type".*/s, '') })), /^an image: it vanished/m],
  ],
  'adapter/outcome': [
    [
      'answers without the toolbox',
      { ...plain, run: async (given) => run({ ...given, toolbox: createCaseToolbox() }) },
      /heard 0 outcomes/,
    ],
    [
      'calls twice',
      {
        ...plain,
        run: async (given) => {
          await run(given);
          return run(given);
        },
      },
      /heard 2 outcomes/,
    ],
    [
      'loses the call id',
      { ...plain, run: (given) => run({ ...given, call: { ...given.call, id: '' } }) },
      /its callId is {2}instead of call-0/,
    ],
  ],
  'adapter/refusals': [
    [
      'answers names it does not know by itself',
      {
        ...plain,
        run: async (given) => (given.call.name === 'no_such_tool' ? { text: 'What?', failed: true, ended: true } : run(given)),
      },
      /^an unknown name: the model reads neither "unknown_tool" nor "no_such_tool"$/,
    ],
    [
      'checks arguments by itself',
      {
        ...plain,
        run: async (given) => (given.call.json.includes('7') ? { text: 'invalid_input', failed: true, ended: true } : run(given)),
      },
      /^bad arguments: the application does not hear of it$/,
    ],
  ],
  'adapter/inbound': [
    [
      'calls under an id of its own',
      { ...plain, wrap: ({ answer }) => [rewrapped(async (args) => toReply(await answer({ name: 'conclude', args, callId: 'mine' })))] },
      /^an object: the host's tool was called under the id mine instead of inbound-46$/m,
    ],
    [
      'takes every answer for a result',
      {
        ...plain,
        wrap: ({ answer }) => [rewrapped(async (args, callId) => toModelText(await answer({ name: 'conclude', args, callId })))],
      },
      /^timeout: its status is ok instead of error/m,
    ],
  ],
};

describe('every check can fail', () => {
  test('and each has an adapter that makes it fail', () => expect(Object.keys(broken)).toEqual(adapterChecks.map(({ id }) => id)));

  const rows = Object.entries(broken).flatMap(([id, subjects]) =>
    subjects.map(([title, adapter, message]) => [id, title, adapter, message] as const),
  );
  test.each(rows)('%s finds an adapter that %s', async (id, _, adapter, message) => {
    const found = await adapterChecks.find((check) => check.id === id)?.run(adapter);
    expect(found?.[0]).toMatchObject({ check: id, level: 'must' });
    expect(found?.map((finding) => finding.message).join('\n')).toMatch(message);
  });
});
