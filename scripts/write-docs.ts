import { writeFileSync } from 'node:fs';
import { adaptersPage } from './adapters-page.ts';
import { cliPage } from './cli-page.ts';
import { dialectsPage } from './dialects-page.ts';
import { failuresPage } from './failures-page.ts';

/** The generated pages of docs/. */
export const pages: Readonly<Record<string, () => string>> = {
  'docs/adapters.md': adaptersPage,
  'docs/cli.md': cliPage,
  'docs/dialects.md': dialectsPage,
  'docs/failures.md': failuresPage,
};

if (import.meta.main) {
  for (const [path, write] of Object.entries(pages)) {
    writeFileSync(new URL(`../${path}`, import.meta.url), write());
    console.log(`wrote ${path}`);
  }
}
