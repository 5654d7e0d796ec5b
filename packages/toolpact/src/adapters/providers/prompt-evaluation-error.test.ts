import { expect, test } from 'vitest';
import { collect } from './collect-stream.ts';
import { PromptEvaluationError } from './prompt-evaluation-error.ts';

const said = 'The audit stream cannot be opened: no JSON in the response.';

test('an error is not read by its words: what the application throws before it asks is its own failure', () => {
  expect(new PromptEvaluationError(new Error(said)).failure).toMatchObject({ kind: 'failed', message: said });
});

test.each([
  ['a page', Object.assign(new Error('502 <html>Bad gateway</html>'), { status: 502 }), 'The model provider failed.'],
  ['nothing', Object.assign(new Error(''), { status: 429 }), 'The model provider failed: rate limited.'],
  ['words', Object.assign(new Error('upstream connect error'), { status: 503 }), 'upstream connect error'],
])('a provider that fails with %s is told as what it is: no tool has failed', (_, cause, message) => {
  expect(new PromptEvaluationError(cause)).toMatchObject({ message, failure: { message } });
});

test.each([
  ['a plain error', new Error(said)],
  ['an error of the language', new SyntaxError('Unexpected end of JSON input')],
])('%s that comes while the answer is read means that the answer cannot be read', async (_, thrown) => {
  const broken = (async function* () {
    yield {};
    throw thrown;
  })();
  const cause: unknown = await collect(broken, { add: () => '', end: () => ({}) }).catch((error: unknown) => error);
  expect(cause).toBe(thrown);
  expect(new PromptEvaluationError(cause).failure).toMatchObject({ kind: 'bad_response' });
});
