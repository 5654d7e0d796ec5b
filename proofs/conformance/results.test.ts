import { toolChecks } from '@toolpact/testing';
import { expect, test } from 'vitest';
import packageJson from '../../packages/toolpact/package.json' with { type: 'json' };
import { measureDialects, measureServers, measureStores, measureTools } from './measure.ts';
import { type ConformanceResults, readResults } from './results.ts';

const checkedIn = readResults();

/** Whether a tool is done before it can be stopped depends on how busy the machine is. */
const steady = (tools: ConformanceResults['tools']) =>
  Object.entries(tools).map(
    ([
      name,
      {
        untested: { 'tools/stops': _, ...untested },
        ...part
      },
    ]) => ({ name, ...part, untested }),
  );

test('the tools we ship match proofs/conformance/README.md and keep the contract', {
  timeout: 120_000,
}, async () => {
  const tools = await measureTools();
  expect(steady(tools)).toEqual(steady(checkedIn.tools));
  const demanded = new Set(toolChecks.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  expect(Object.values(tools).flatMap(({ broken }) => Object.keys(broken).filter((id) => demanded.has(id)))).toEqual([]);
});

// The adapters are judged in proofs/battery, which starts every framework anyway.

test('so are the stores', { timeout: 120_000 }, async () => {
  expect(await measureStores()).toEqual(checkedIn.stores);
});

test('so are the dialects', async () => {
  expect(await measureDialects()).toEqual(checkedIn.dialects);
});

test('so is the server, on each way to it', async () => {
  expect(await measureServers()).toEqual(checkedIn.servers);
});

test('everything that we publish was judged', () => {
  expect(Object.keys(checkedIn.tools)).toEqual(['sandbox', 'openapi', 'read_result', 'samples']);
  const entries = (folder: string): string[] =>
    Object.keys(packageJson.exports).flatMap((path) => (path.startsWith(`./${folder}/`) ? [path.slice(folder.length + 3)] : []));
  expect([...new Set(checkedIn.adapters.map(({ adapter }) => adapter))].sort()).toEqual(entries('adapters').sort());
  expect(Object.keys(checkedIn.stores).sort()).toEqual(entries('stores').sort());
});
