import { expect, test } from 'vitest';
import type { ListedTool } from '../api/api-shapes.ts';
import { findTools } from './find-tools.ts';

const tool = (name: string, description: string): ListedTool => ({
  name,
  providerName: name,
  description,
  effects: 'none',
  inputSchema: {},
  examples: [],
});
const tools = [tool('pay_invoice', 'Pays an invoice.'), tool('add', 'Adds two numbers.'), tool('list_open', 'Lists what is to pay.')];

test.each([
  ['', ['pay_invoice', 'add', 'list_open']],
  ['pay', ['pay_invoice', 'list_open']],
  ['LIST', ['list_open']],
  ['numbers two', ['add']],
  ['nothing', []],
])('%s finds %j', (text, names) => {
  expect(findTools(tools, text).map(({ name }) => name)).toEqual(names);
});
