import { expect, test } from 'vitest';
import { ownFrames } from './own-frames.ts';

test.each([
  [
    'a module on Linux or macOS',
    '/home/ann/my app',
    'TypeError: x\n    at deep (file:///home/ann/my%20app/src/tools.ts:3:36)\n    at async run (node:internal/x:1:2)',
    ['deep src/tools.ts:3:36'],
  ],
  ['a path with a space', '/Users/Ann Lee/app', '    at Object.run (/Users/Ann Lee/app/tools.ts:4:9)', ['Object.run tools.ts:4:9']],
  [
    'a module on Windows',
    'C:\\shop\\app',
    'TypeError: x\r\n    at deep (file:///C:/shop/app/src/tools.ts:3:36)\r\n',
    ['deep src/tools.ts:3:36'],
  ],
  ['CommonJS on Windows', 'C:\\shop\\app', '    at deep (C:\\shop\\app\\src\\tools.ts:3:36)', ['deep src/tools.ts:3:36']],
  ['a package', '/home/ann', '    at run (file:///home/ann/node_modules/zod/index.js:1:2)', []],
  ['what Node prints of a syntax error', '/home/ann', '/home/ann/tools.ts:2\nconst b = {;\n\nSyntaxError: x', ['undefined tools.ts:2']],
])('finds the lines of the user in %s', (_, cwd, stack, expected) => {
  expect(ownFrames(stack, cwd).map(({ name, place }) => `${name} ${place}`)).toEqual(expected);
});
