import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly permissions?: Readonly<Record<string, string>>; readonly steps?: readonly Step[] }>>;
}

const folder = new URL('../.github/workflows/', import.meta.url);
const workflows = readdirSync(folder).map((file) => [file, readFileSync(new URL(file, folder), 'utf8')] as const);

describe.each(workflows)('%s', (_, text) => {
  const { permissions, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  test('uses every action at a commit, with the version that it is', () => {
    const lines = text.split('\n').filter((line) => line.includes('uses: ') && !line.includes('uses: ./'));
    expect(lines.filter((line) => !/uses: actions\/[a-z-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('may only read, unless a job says what it needs', () => {
    expect(Object.entries(permissions).filter(([name, access]) => name !== 'contents' || access !== 'read')).toEqual([]);
  });

  test('leaves no credential where code that it runs could find it', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });
});

test('only the step that publishes has the token, in a job that runs nothing that was checked out or installed', () => {
  const all = workflows.flatMap(([, text]) => Object.entries((parse(text) as Workflow).jobs));
  const trusted = all.filter(([, job]) => JSON.stringify(job).includes('secrets.') || job.permissions?.['id-token'] !== undefined);
  expect(trusted.map(([name]) => name)).toEqual(['publish']);
  const [, publish] = trusted[0] ?? expect.unreachable();
  expect(publish.permissions).toEqual({ 'id-token': 'write' });
  expect(publish.steps?.map(({ uses = '' }) => uses.split('@')[0])).toEqual(['actions/download-artifact', 'actions/setup-node', '']);
  const [last, ...others] = [...(publish.steps ?? [])].reverse();
  expect(JSON.stringify(others)).not.toContain('secrets.');
  expect(last?.run?.trim().split('\n')).toEqual([
    "jq -r '.[].archive' packed.json | while read -r archive; do",
    '  npm publish "./$archive" --ignore-scripts --provenance --access public < /dev/null',
    'done',
  ]);
});
