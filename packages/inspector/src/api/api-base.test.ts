import { expect, test } from 'vitest';
import { apiBase } from './api-base.ts';

test.each([
  ['http://127.0.0.1:8787/', 'http://127.0.0.1:8787/'],
  ['http://127.0.0.1:8787/?a=1#/calls?tool=add', 'http://127.0.0.1:8787/'],
  ['http://127.0.0.1:8787/inspector/', 'http://127.0.0.1:8787/'],
  ['http://127.0.0.1:8787/inspector/index.html#/tools', 'http://127.0.0.1:8787/'],
  ['https://tools.example/a/b/inspector/#/calls', 'https://tools.example/a/b/'],
  ['https://tools.example/my-inspector/', 'https://tools.example/my-inspector/'],
])('the page at %s asks the server at %s', (page, base) => {
  expect(apiBase(page)).toBe(base);
});
