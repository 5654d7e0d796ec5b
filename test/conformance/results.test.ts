import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { measureAdapters, measureDialects, measureServers, measureStores } from './measure.ts';
import { readResults } from './results.ts';

const checkedIn = readResults();

test('the adapters are as docs/conformance.md says, in the frameworks that are installed', { timeout: 180_000 }, async () => {
  expect(await measureAdapters()).toEqual(checkedIn.adapters);
});

test('so are the stores', { timeout: 120_000 }, async () => {
  expect(await measureStores()).toEqual(checkedIn.stores);
});

test('so are the dialects', async () => {
  expect(await measureDialects()).toEqual(checkedIn.dialects);
});

test('so is the server, on each way to it', async () => {
  expect(await measureServers()).toEqual(checkedIn.servers);
});

test('everything that the package has to offer was judged', () => {
  const entries = (folder: string): string[] =>
    Object.keys(packageJson.exports).flatMap((path) => (path.startsWith(`./${folder}/`) ? [path.slice(folder.length + 3)] : []));
  expect([...new Set(checkedIn.adapters.map(({ adapter }) => adapter))].sort()).toEqual(entries('adapters').sort());
  expect(Object.keys(checkedIn.stores).sort()).toEqual(entries('stores').sort());
});
