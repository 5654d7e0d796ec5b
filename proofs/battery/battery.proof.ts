import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../packages/toolpact/package.json' with { type: 'json' };
import { toAdapterResult } from '../conformance/adapter-result.ts';
import { readResults } from '../conformance/results.ts';
import { faults } from './faults.ts';
import type { Measurement } from './measurement.ts';
import { hostFiles, inPairs, type MeasuredColumn, runFile, versionOf } from './run-battery.ts';

/** Every fault in every framework, through its adapter, in real runs. */

const read = (file: string): Measurement => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Measurement;
const results = read('results.json');
const baseline = read('baseline.json');
const titles = faults.map(({ title }) => title);

let columns: readonly MeasuredColumn[] = [];
beforeAll(async () => {
  columns = (await inPairs(hostFiles, (file) => runFile(file, 'toolpact'))).flat();
}, 540_000);

test('there are 47 faults, 30 of which must be classified', () => {
  expect(new Set(titles).size).toBe(47);
  expect(faults.filter(({ isError }) => isError)).toHaveLength(30);
});

describe.each(results.columns.map((column) => [column.title, column] as const))('%s', (_, checkedIn) => {
  const column = (): MeasuredColumn => columns.find(({ name }) => name === checkedIn.name) as MeasuredColumn;

  test('all faults end well, and the model reads the truth', () => {
    const { codes, why } = column();
    const wrong = titles.flatMap((title, index) => (codes[index] === 'S' ? [] : [`${codes[index]} ${title}: ${why[title]}`]));
    expect(wrong).toEqual([]);
  });

  test('all errors are classified for the application', () => {
    const { app } = column();
    expect(faults.flatMap(({ title, isError }, index) => (app[index] === (isError ? 'C' : '.') ? [] : [title]))).toEqual([]);
  });

  test('no secret and no stack reaches the model', () => expect(column().leaks).toEqual({}));

  test('every kind of outcome arrives: flag, text, code and call id', () => expect(column().findings).toEqual([]));

  test('the checked-in result is this one', () => {
    const { why: _why, findings: _findings, ...measured } = column();
    expect(measured).toEqual(checkedIn);
  });
});

test('every column is checked in', () => {
  expect(results.faults).toEqual(titles);
  expect(results.columns.map(({ name }) => name)).toEqual(columns.map(({ name }) => name));
});

test('the adapters are as proofs/conformance/README.md says, in the frameworks that are installed', () => {
  const judged = columns.map(({ findings = expect.unreachable(), ...column }) => toAdapterResult(column, findings));
  expect(judged).toEqual(readResults().adapters);
});

test('every adapter of the package has a column', () => {
  const adapters = Object.keys(packageJson.exports).flatMap((path) => /^\.\/adapters\/(.+)/.exec(path)?.[1] ?? []);
  expect([...new Set(columns.map(({ adapter }) => adapter))].sort()).toEqual(adapters.sort());
});

test('the frameworks alone were measured in the versions that are installed', () => {
  expect(baseline.faults).toEqual(titles);
  for (const { name, versions } of baseline.columns) {
    const installed = Object.fromEntries(Object.keys(versions).map((one) => [one, versionOf(one)]));
    expect({ name, versions }, 'run `npm run battery:baseline`').toEqual({ name, versions: installed });
  }
  expect(baseline.columns.map(({ name }) => name)).toEqual(results.columns.map(({ name }) => name));
});
