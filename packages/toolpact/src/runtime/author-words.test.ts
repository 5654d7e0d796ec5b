import { describe, expect, test } from 'vitest';
import { type Failure, fail, type Outcome, toModelText } from '../outcome/index.ts';
import { createToolbox, type ToolboxOptions } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import { unwrap } from './unwrap.ts';

const advice = 'If the message names something you sent, correct that; otherwise try another way. Do not repeat the call unchanged.';

async function failureOf(run: () => unknown, options: ToolboxOptions = {}): Promise<Failure> {
  const tool = defineTool({ name: 'act', description: 'Acts.', effects: 'none', run });
  return errorOf(await createToolbox([tool], { report: () => {}, ...options }).call('act', {}, { invocationId: 'inv-1' }));
}

function errorOf(outcome: Outcome): Failure {
  if (outcome.status !== 'error') throw new Error(`it ended as ${outcome.status}`);
  return outcome.error;
}

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

describe('what an author throws in their own words', () => {
  test('is failed, and the reader is sent to the message', async () => {
    expect(await failureOf(throwing(new Error('Only one of the two dates may be set.')))).toMatchObject({
      kind: 'failed',
      message: 'Only one of the two dates may be set.',
      recovery: 'see_message',
      retryable: false,
      advice,
    });
  });

  test('may be stated as such', async () => {
    expect(await failureOf(() => fail('failed', 'The lid is open.'))).toMatchObject({
      kind: 'failed',
      message: 'The lid is open.',
      recovery: 'see_message',
      advice,
    });
  });

  test.each([
    ['a TypeError', new TypeError('x is odd')],
    ['a ReferenceError', new ReferenceError('x is odd')],
    ['a RangeError', new RangeError('x is odd')],
    ['a SyntaxError', new SyntaxError('x is odd')],
    ['an assertion', Object.assign(new Error('x is odd'), { name: 'AssertionError', code: 'ERR_ASSERTION' })],
    ['the text of the engine', new Error("Cannot read properties of undefined (reading 'x')")],
    ['an error without a word', new Error('')],
    ['nothing', undefined],
  ])('but %s is internal', async (_, thrown) => {
    expect(await failureOf(throwing(thrown))).toMatchObject({ kind: 'internal', recovery: 'stop' });
  });

  test("stays internal with classify: 'structure'", async () => {
    expect(await failureOf(throwing(new Error('The lid is open.')), { classify: 'structure' })).toMatchObject({
      kind: 'internal',
      recovery: 'stop',
    });
  });
});

describe('where the text of an author is withheld', () => {
  const withheld = {
    kind: 'failed',
    message: 'The tool failed.',
    recovery: 'stop',
    retryable: false,
    advice: 'Repeating the same call will not help. An operator finds the cause under inv-1.',
    debugId: 'inv-1',
  };

  test('nobody is sent to a message that is not there', async () => {
    expect(await failureOf(throwing(new Error('The lid is open.')), { expose: 'authored' })).toMatchObject(withheld);
  });

  test('what was written for the caller is shown all the same', async () => {
    const failure = await failureOf(() => fail('failed', 'The lid is open.'), { expose: 'authored' });
    expect(failure).toMatchObject({ message: 'The lid is open.', recovery: 'see_message', advice });
  });

  test('a page in place of a sentence says nothing either', async () => {
    expect(await failureOf(throwing(new Error('<html><body>no</body></html>')))).toMatchObject({
      kind: 'bad_response',
      message: 'The tool failed: bad response.',
      recovery: 'other_tool',
    });
    expect(await failureOf(throwing(new Error('\n<title>no</title>')))).toMatchObject(withheld);
  });

  test('it stays withheld in a tool that passes it on', async () => {
    const inner = defineTool({ name: 'inner', description: 'x', effects: 'none', run: throwing(new Error('The lid is open.')) });
    const box = createToolbox([inner], { report: () => {}, expose: 'authored' });
    const outer = defineTool({
      name: 'outer',
      description: 'x',
      effects: 'none',
      run: async () => unwrap(await box.call('inner', {}, { invocationId: 'inv-0' })),
    });
    const outcome = await createToolbox([outer], { report: () => {} }).call('outer', {}, { invocationId: 'inv-1' });
    expect(errorOf(outcome)).toMatchObject(withheld);
    expect(toModelText(outcome)).toBe(
      '[error: failed] The tool failed.\nNext: Repeating the same call will not help. An operator finds the cause under inv-1.',
    );
  });
});
