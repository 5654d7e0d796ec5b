import { expect, test } from 'vitest';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';

const echo = defineTool({ name: 'echo', description: 'x', effects: 'none', run: (input) => input });

/** An object whose field makes another call when it is read. */
function callingGetter(): object {
  const read = (): number => {
    void echo.call({});
    return 1;
  };
  return Object.defineProperty({}, 'count', { enumerable: true, get: read });
}

test('arguments with a getter that makes another call are shown as JSON', async () => {
  const give = defineTool({ name: 'give', description: 'x', effects: 'none', run: () => 'done' });
  const args: object = { big: { x: 1n }, other: callingGetter() };
  const outcome = await createToolbox([give]).answer({ name: 'give', args });
  expect(outcome).toMatchObject({ status: 'ok', input: { big: { x: '1' }, other: { count: 1 } } });
  expect(() => JSON.stringify(outcome)).not.toThrow();
});

test('a result with a getter that makes another call is measured whole', async () => {
  const result = { first: 'x'.repeat(262_000), between: callingGetter(), last: 'x'.repeat(262_000) };
  const large = defineTool({ name: 'large', description: 'x', effects: 'none', run: () => result });
  const outcome = await createToolbox([large]).call('large', {});
  expect(outcome).toMatchObject({ status: 'ok', meta: { truncated: true } });
  expect(JSON.stringify(outcome.status === 'ok' && outcome.data).length).toBeLessThan(262_144);
});
