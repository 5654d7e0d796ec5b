import { expect, test } from 'vitest';
import { fail, ok, partial, pending } from '../../outcome/index.ts';
import { defineTool } from '../define-tool.ts';

const answer = (reply: unknown) => defineTool({ name: 'reply', description: 'x', effects: 'none', run: () => reply as object }).call({});

test.each([Number.NaN, -1, 1.5, '7', null])('a total of %j is replaced by the number of known items', async (total) => {
  const reply = partial(['a', 'b'], [{ index: 2, error: fail('not_found', 'No c.') }], { total: total as number });
  expect(await answer(reply)).toMatchObject({ status: 'partial', total: 3 });
});

test('counts that are null are left out', async () => {
  const outcome = await answer(ok(1, { tokenUsage: null as never, sourceCounts: null as never }));
  expect(outcome.meta).not.toHaveProperty('tokenUsage');
  expect(outcome.meta).not.toHaveProperty('sourceCounts');
});

test.each([
  ['input', 'input'],
  ['a person is away', 'running'],
  [undefined, 'running'],
])('the reason %j of a pending reply is read as %s', async (reason, expected) => {
  expect(await answer(pending({ handle: 'h', reason: reason as 'input' }))).toMatchObject({ pending: { handle: 'h', reason: expected } });
});
