import { toModelText } from 'toolpact';
import { type AuthorCase, authorFiles, callAuthorCase, readAuthorErrors } from '../proofs/truth/author-errors.ts';

/** The throw sites that docs/failures.md shows, by the id under which they are stored. */
const shown = [
  'googlecloudplatform/cloud-run-mcp#01',
  'wonderwhy-er/desktopcommandermcp#06',
  'executeautomation/mcp-database-server#01',
  'cline/cline#02',
  'glips/figma-context-mcp#08',
  'wonderwhy-er/desktopcommandermcp#14',
  'flowiseai/flowise#09',
  'modelcontextprotocol/servers#08',
  'pulsemcp/mcp-servers#12',
  'mastra-ai/mastra#12',
  'chromedevtools/chrome-devtools-mcp#16',
] as const;

/** Writes what the model reads of real messages, by calling a tool that throws each of them. */
export async function authorMessagesSection(): Promise<string> {
  const cases = new Map(authorFiles.flatMap(readAuthorErrors).map((entry) => [entry.id, entry]));
  const rows: string[] = [];
  for (const id of shown) {
    const entry = cases.get(id);
    if (entry === undefined) throw new Error(`There is no stored throw site with the id ${id}.`);
    rows.push(`| ${cell(entry.message)} | ${argumentsCell(entry)} | ${await readingCell(entry)} |`);
  }
  return `| the tool throws | in a call with | the model reads |\n|---|---|---|\n${rows.join('\n')}`;
}

async function readingCell(entry: AuthorCase): Promise<string> {
  const outcome = await callAuthorCase(entry, { effects: 'none' });
  return toModelText(outcome)
    .split('\n')
    .map((line) => cell(line))
    .join('<br>');
}

function argumentsCell({ args }: AuthorCase): string {
  return Object.keys(args).length === 0 ? 'no arguments' : cell(JSON.stringify(args), 90);
}

function cell(text: string, longest = 160): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'");
  return `\`${line.length > longest ? `${line.slice(0, longest - 1)}…` : line}\``;
}
