import { expect, test } from 'vitest';
import { childrenOf, isOpenAtFirst, toTreeNode } from './tree-node.ts';

test.each([
  [
    { a: 1, b: 2 },
    { type: 'object', text: '2 fields', count: 2, cut: 0 },
  ],
  [{}, { type: 'object', text: '0 fields', count: 0, cut: 0 }],
  [[7], { type: 'array', text: '1 item', count: 1, cut: 0 }],
  ['a "b"\n\u202e', { type: 'string', text: 'a "b"\n\\u202e', count: 0, cut: 0 }],
  [-0.5, { type: 'number', text: '-0.5', count: 0, cut: 0 }],
  [false, { type: 'boolean', text: 'false', count: 0, cut: 0 }],
  [null, { type: 'null', text: 'null', count: 0, cut: 0 }],
  [undefined, { type: 'null', text: 'null', count: 0, cut: 0 }],
] as const)('%j is shown as %j', (value, node) => {
  expect(toTreeNode(value)).toEqual(node);
});

test('a long text is cut until it is asked for', () => {
  const { text, cut } = toTreeNode('x'.repeat(10_000_000));
  expect([text.length, cut]).toEqual([600, 9_999_400]);
  expect(toTreeNode('x'.repeat(1000), true)).toEqual({ type: 'string', text: 'x'.repeat(1000), count: 0, cut: 0 });
});

test('a long list is shown a hundred at a time', () => {
  const list = Array.from({ length: 250 }, (_, index) => index);
  const sizes = [1, 2, 3].map((pages) => {
    const { shown, left } = childrenOf(list, pages);
    return [shown.length, left, shown.at(-1)];
  });
  expect(sizes).toEqual([
    [100, 150, ['99', 99]],
    [200, 50, ['199', 199]],
    [250, 0, ['249', 249]],
  ]);
});

test.each([
  [{ a: 1 }, 0, true],
  [Array(500).fill(1), 0, true],
  [{ a: 1 }, 2, true],
  [Array(9).fill(1), 1, false],
  [{ a: 1 }, 3, false],
])('%j at depth %d is open at first: %s', (value, depth, isOpen) => {
  expect(isOpenAtFirst(value, depth)).toBe(isOpen);
});
