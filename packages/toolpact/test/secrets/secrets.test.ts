import { expect, test } from 'vitest';
import { defaultRedactor, toModelText } from '../../src/outcome/index.ts';
import { defineTool } from '../../src/runtime/index.ts';
import { createToolbox } from '../../src/toolbox/index.ts';
import { harmlessKeys, harmlessTexts, secretKeys, secretShapes } from './secret-shapes.ts';

test('at least 150 shapes of secrets are known, and all are hidden', () => {
  expect(secretShapes.length).toBeGreaterThanOrEqual(150);
  expect(secretShapes.filter(([text, secret]) => defaultRedactor.text(text).includes(secret))).toEqual([]);
});

test('no shape leaves in model text, outcome, events or report', async () => {
  const ways: string[] = [];
  let thrown = '';
  const tool = defineTool({
    name: 'leak',
    description: 'x',
    effects: 'none',
    run: async () => {
      throw new Error(thrown);
    },
  });
  const toolbox = createToolbox([tool], { report: ({ error, ...record }) => ways.push(JSON.stringify(record)) });
  toolbox.subscribe((event) => ways.push(JSON.stringify(event)));
  const leaks: string[] = [];
  for (const [text, secret] of secretShapes) {
    thrown = text;
    ways.length = 0;
    const outcome = await toolbox.call('leak', {});
    ways.push(JSON.stringify(outcome), toModelText(outcome));
    if (ways.some((way) => way.includes(secret))) leaks.push(text);
  }
  expect(leaks).toEqual([]);
});

test('a key that is glued to the name of an unknown tool does not leave', async () => {
  const key = ['sk', 'test', '1234567890abcdef'].join('-');
  const outcome = await createToolbox([], { report: () => undefined }).answer({ name: `tool_${key}`, args: {} });
  expect(toModelText(outcome)).toContain('tool_[redacted]');
  expect(JSON.stringify(outcome)).not.toContain('1234567890');
});

test('values of secret names are hidden, alone, in pairs and in lists of headers', () => {
  const value = 'Zq81Lk0vPw';
  const shapes = (key: string) => [{ [key]: value }, [[key, value]], [{ name: key, value }], [{ key, value }], ['accept', 'x', key, value]];
  const leaking = secretKeys.filter((key) => JSON.stringify(defaultRedactor.value(shapes(key))).includes(value));
  expect(leaking).toEqual([]);
});

test('values of other names stay, also where a word of the name is that of a secret', () => {
  expect(
    harmlessKeys.filter((key) => JSON.stringify(defaultRedactor.value({ [key]: 'abc' })) !== JSON.stringify({ [key]: 'abc' })),
  ).toEqual([]);
});

test('200 harmless texts stay as they are', () => {
  expect(harmlessTexts.length).toBeGreaterThanOrEqual(200);
  expect(harmlessTexts.filter((text) => defaultRedactor.text(text) !== text)).toEqual([]);
});
