import { noTenant } from 'toolpact/extend';
import { expect, test } from 'vitest';
import { type ApprovalPlace, createHowToApprove } from './how-to-approve.ts';

const settings = (store: string, by?: 'flag' | 'file'): ApprovalPlace['settings'] => ({
  store,
  setBy: new Map(by === undefined ? [] : [['store', by]]),
});
const server = () => ({ url: 'http://127.0.0.1:3000', hasInspector: true });
const page = 'at http://127.0.0.1:3000/inspector/#/approvals';

test.each<[string, ApprovalPlace, string, string | undefined]>([
  ['the store of the project', { settings: settings('.toolpact/toolpact.db') }, noTenant, 'with `npx @toolpact/cli approvals approve a_1`'],
  [
    'the store of a project elsewhere',
    { settings: settings('.toolpact/toolpact.db'), folder: '/home/ann/shop' },
    noTenant,
    'with `npx @toolpact/cli approvals approve a_1` in /home/ann/shop',
  ],
  [
    'a server with a page',
    { settings: settings('.toolpact/toolpact.db'), server },
    'acme',
    `with \`npx @toolpact/cli approvals approve a_1 --tenant acme\` or ${page}`,
  ],
  [
    'a server that remembers in memory',
    { settings: settings('memory'), server },
    noTenant,
    `with \`npx @toolpact/cli approvals approve a_1 --url http://127.0.0.1:3000\` or ${page}`,
  ],
  ['a process that remembers in memory', { settings: settings('memory') }, noTenant, undefined],
  [
    'a file named on the command line',
    { settings: settings('my files/x.db', 'flag') },
    "a'b",
    "with `npx @toolpact/cli approvals approve a_1 --tenant 'a'\\''b' --store 'my files/x.db'`",
  ],
  [
    'a database named on the command line, whose address is not shown',
    { settings: settings('postgres://u:p@h/d', 'flag') },
    noTenant,
    undefined,
  ],
  [
    'a database named in a file',
    { settings: settings('postgres://u:p@h/d', 'file') },
    noTenant,
    'with `npx @toolpact/cli approvals approve a_1`',
  ],
])('%s', (_, place, tenantId, how) => {
  expect(createHowToApprove(place)({ handle: 'a_1', tenantId })).toBe(how);
});
