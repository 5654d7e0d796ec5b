import { expect, test } from 'vitest';
import { readSaved } from './saved-filters.ts';

test.each([
  ['nothing', null, []],
  ['filters', '{"slow":"tool=pay&status=error"}', [{ name: 'slow', filters: { tool: ['pay'], status: ['error'] } }]],
  ['what is no JSON', '{"slow"', []],
  ['another value', '7', []],
  ['a value that is no text', '{"slow":7,"ok":"text=a"}', [{ name: 'ok', filters: { text: 'a' } }]],
])('saved filters are read from %s', (_, text, saved) => expect(readSaved(text)).toEqual(saved));
