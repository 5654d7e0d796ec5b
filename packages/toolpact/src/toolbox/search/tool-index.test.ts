import { expect, test } from 'vitest';
import { createToolIndex } from './tool-index.ts';
import type { IndexedTool } from './tool-words.ts';

function tool(name: string, description = '', properties: object = {}, effects = 'writes'): IndexedTool {
  return { name, description, effects, inputSchema: { type: 'object', properties }, examples: [] };
}

const shop = [
  tool('customers_create', 'Creates a customer.', { email: {} }),
  tool('customers_delete', 'Deletes a customer and all of their data.'),
  tool('customers_list', 'Lists the customers.', {}, 'none'),
  tool('issueRefund', 'Gives the money of a payment back.', { payment: {}, reason: { enum: ['duplicate', 'fraudulent'] } }),
  tool('GetHTTPStatus2', 'Returns what the last request to a webhook was answered with.', {}, 'none'),
  tool('日程を登録する', '会議の日程をカレンダーに登録する。'),
  tool('créer_facture', 'Crée une facture pour un client.'),
];

const names = (tools: readonly IndexedTool[], query: string, limit = 5): (string | undefined)[] =>
  createToolIndex(tools)
    .search(query, limit)
    .map(({ at }) => tools[at]?.name);

test.each([
  ['by its words', 'create customer', 'customers_create'],
  ['by other forms of them', 'creating customers', 'customers_create'],
  ['by other words for them', 'register a new client', 'customers_create'],
  ['to remove something', 'erase a customer', 'customers_delete'],
  ['to see something', 'show me my customers', 'customers_list'],
  ['by a parameter', 'email', 'customers_create'],
  ['by a value of a parameter', 'fraudulent', 'issueRefund'],
  ['despite a slip of the hand', 'refnud', 'issueRefund'],
  ['by the beginning of a word', 'fraud', 'issueRefund'],
  ['by a part of its name', 'http status', 'GetHTTPStatus2'],
  ['by its name in another spelling', 'get-http-status-2', 'GetHTTPStatus2'],
  ['in a script without spaces', '会議の日程', '日程を登録する'],
  ['without its accents', 'creer une FACTURE', 'créer_facture'],
])('a tool is found %s', (_, query, name) => {
  expect(names(shop, query)[0]).toBe(name);
});

const folders = [
  tool('folders_create', 'Creates a folder.'),
  tool('folders_get', 'Returns a folder.', {}, 'none'),
  tool('folders_update', 'Updates a folder.', { visibility: { enum: ['public', 'private'] } }),
  tool('folders_delete', 'Deletes a folder.'),
  tool('folders_list_permissions', 'Lists the permissions of a folder.', {}, 'none'),
  tool('folders_add_watcher', 'Adds a watcher.'),
  tool('folders_add_worklog', 'Adds a worklog.'),
];

test.each([
  ['make a folder', 'folders_create'],
  ['make my folder private', 'folders_update'],
  ['what is in the folder', 'folders_get'],
  ['get rid of the folder', 'folders_delete'],
  ['throw the folder of last year away', 'folders_delete'],
  ['who can see the folder', 'folders_list_permissions'],
  ['let Tom see the folder', 'folders_list_permissions'],
  ['watch this folder', 'folders_add_watcher'],
  ['log two hours', 'folders_add_worklog'],
  ['do I have a folder for taxes?', 'folders_get'],
  ['the folder has a new name', 'folders_update'],
  ['that folder is old, get rid of it', 'folders_delete'],
  ['find the folder and rename it', 'folders_update'],
])('what is asked to be done decides between tools for one thing: %s', (query, name) => {
  expect(names(folders, query)[0]).toBe(name);
});

test.each([
  ['nothing', ''],
  ['spaces', ' \n\t '],
  ['a megabyte of one letter', 'a'.repeat(1_000_000)],
  ['a megabyte of words', 'delete customer '.repeat(65_000)],
  ['the characters of patterns', '(.*)+$ [a-z]{1000} \\p{L} ^^'],
  ['no letters', '🙂🙃 — … \u0000 \ud800'],
  ['words that say nothing', 'the of and to'],
  ['names of methods', '__proto__ constructor toString hasOwnProperty'],
])('a query is survived: %s', (_, query) => {
  for (const { score } of createToolIndex(shop).search(query, 5)) expect(score).toBeGreaterThan(0);
});

test('what is described alike is found, the better match first and the twins of others last', () => {
  const twins = [
    tool('GET_RunTask', 'Runs a task.', {}, 'none'),
    tool('POST_RunTask', 'Runs a task.'),
    tool('listTasks', 'Lists the tasks that run.', {}, 'none'),
  ];
  expect(names(twins, 'run a task', 3)).toHaveLength(3);
  expect(names([tool('same', 'Equal.'), tool('other', 'Equal.')], 'equal')).toEqual(['same', 'other']);
});

test('tools without descriptions, and no tools at all, can be searched', () => {
  expect(names([], 'anything')).toEqual([]);
  expect(names([tool('a'), tool('b_c')], 'b c')).toEqual(['b_c']);
});

test('schemas that are no schemas are survived', () => {
  const odd = [
    null,
    [],
    7,
    { properties: 7 },
    { properties: { a: null, b: true, c: { enum: 7, description: 3 } } },
    { items: [], anyOf: {} },
  ];
  const tools = odd.map((inputSchema, at) => ({ ...tool(`odd_${at}`), inputSchema: inputSchema as never }));
  const loop: Record<string, unknown> = { type: 'object' };
  loop.properties = { again: loop };
  loop.items = loop;
  expect(names([...tools, { ...tool('loop'), inputSchema: loop }], 'again')).toEqual(['loop']);
});
