import { writeFileSync } from 'node:fs';
import { adaptersPage } from './adapters-page.ts';
import { cliPage } from './cli-page.ts';
import { conformancePage } from './conformance-page.ts';
import { dialectsPage } from './dialects-page.ts';
import { failuresPage } from './failures-page.ts';
import { fieldReportPage } from './field-report.ts';

/** The generated pages of docs/. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/adapters.md': adaptersPage,
  'docs/cli.md': cliPage,
  'docs/conformance.md': conformancePage,
  'docs/dialects.md': dialectsPage,
  'docs/failures.md': failuresPage,
  'docs/field-report.md': fieldReportPage,
};

if (import.meta.main) {
  for (const [path, write] of Object.entries(pages)) {
    writeFileSync(new URL(`../${path}`, import.meta.url), write());
    console.log(`wrote ${path}`);
  }
}
