import { anthropic } from 'toolpact/dialects';
import { expect, test } from 'vitest';
import type { ClientOptions } from './client.ts';
import { createClient } from './create-client.ts';

test.each<[string, ClientOptions, string]>([
  [
    'a dialect by name',
    { dialect: 'anthropic' as 'outcome' },
    "dialect must be a dialect, such as those of @toolpact/origins, or 'outcome'",
  ],
  ['dialects that are no list', { dialects: anthropic as never }, 'dialects must be a list of dialects'],
  ['two dialects of one name', { dialects: [anthropic], dialect: { ...anthropic } }, 'two formats have the name "anthropic"'],
])('a client refuses %s', (_, options, message) => {
  expect(() => createClient('http://127.0.0.1:1', options)).toThrow(message);
});
