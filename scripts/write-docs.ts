import { writeFileSync } from 'node:fs';
import { adaptersPage } from './adapters-page.ts';
import { buildPage } from './build-page.ts';
import { cliPage } from './cli-page.ts';
import { conformancePage } from './conformance-page.ts';
import { dialectsPage } from './dialects-page.ts';
import { failuresPage } from './failures-page.ts';
import { fieldReportPage } from './field-report.ts';
import { frameworksPage } from './frameworks-page.ts';
import { httpApiPage } from './http-api-page.ts';

/** What is generated: the pages of docs/, and the texts of the server's own page. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/adapters.md': adaptersPage,
  'docs/cli.md': cliPage,
  'docs/conformance.md': conformancePage,
  'docs/dialects.md': dialectsPage,
  'docs/failures.md': failuresPage,
  'docs/field-report.md': fieldReportPage,
  'docs/frameworks.md': frameworksPage,
  'docs/http-api.md': httpApiPage,
  'src/edges/server/openapi/page-files.ts': buildPage,
};

if (import.meta.main) {
  for (const [path, write] of Object.entries(pages)) {
    writeFileSync(new URL(`../${path}`, import.meta.url), await write());
    console.log(`wrote ${path}`);
  }
}
