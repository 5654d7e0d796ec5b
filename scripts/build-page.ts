// Bundles the docs page of the server and writes what the server sends: its HTML, script and style as texts, with the hashes that allow them.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = new URL('../src/edges/server/openapi/page/', import.meta.url);

/** Writes the module that holds the texts of the page. */
export async function buildPage(): Promise<string> {
  const bundle = await rolldown({ input: fileURLToPath(new URL('page.ts', folder)) });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  const script = output[0].code.trim();
  const style = readText('page.css');
  const texts = { html: readText('page.html'), script, style, scriptHash: hashOf(script), styleHash: hashOf(style) };
  const lines = Object.entries(texts).map(([name, text]) => `  ${name}:\n    ${toLiteral(text)},\n`);
  return [
    '// Written by scripts/build-page.ts from page/page.html, page/page.ts and page/page.css.\n\n',
    '/** The docs page: texts with places for what differs from server to server, and the hashes that its policy allows. */\n',
    `export const pageFiles = {\n${lines.join('')}} as const;\n`,
  ].join('');
}

function readText(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8');
}

function hashOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}

function toLiteral(text: string): string {
  return JSON.stringify(text);
}
