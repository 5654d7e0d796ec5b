import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { cliPage } from './cli-page.ts';
import { conformancePage } from './conformance-page.ts';
import { dialectsPage } from './dialects-page.ts';
import { failuresPage } from './failures-page.ts';
import { faultsPage } from './faults-page.ts';
import { fieldReportPage } from './field-report.ts';
import { frameworksPage } from './frameworks-page.ts';
import { httpApiPage } from './http-api-page.ts';
import { killPage } from './kill-page.ts';
import { wrapProse } from './wrap-prose.ts';

const root = new URL('..', import.meta.url);

/** Breaks the prose of a generated page. */
const wrapped = (write: () => string | Promise<string>) => async () => wrapProse(await write());

/** The generated pages. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/cli.md': wrapped(cliPage),
  'docs/dialects.md': wrapped(dialectsPage),
  'docs/failures.md': wrapped(failuresPage),
  'docs/faults.md': wrapped(faultsPage),
  'proofs/conformance/field-report.md': wrapped(fieldReportPage),
  'docs/frameworks.md': wrapped(frameworksPage),
  'docs/http-api.md': wrapped(httpApiPage),
  'docs/who-pays-twice.md': wrapped(killPage),
  'proofs/conformance/README.md': wrapped(conformancePage),
};

/** The pages for people, written by hand or generated: their prose breaks at 120 characters. */
export const prose: readonly string[] = globSync('{,docs/,proofs/,examples/*/,packages/*/,packages/origins/src/*/}*.md', { cwd: root });

if (import.meta.main) {
  for (const [path, write] of Object.entries(pages)) {
    writeFileSync(new URL(path, root), await write());
    console.log(`wrote ${path}`);
  }
  for (const path of prose) writeFileSync(new URL(path, root), wrapProse(readFileSync(new URL(path, root), 'utf8')));
}
