// Packs this package and installs it beside each framework, in a fresh project and without flags. Usage: node scripts/run.mjs proof installs
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** What a user of an adapter installs besides. */
const projects: Readonly<Record<string, string>> = {
  'ai-sdk': 'ai',
  'openai-agents': '@openai/agents',
  langchain: 'langchain @langchain/core @langchain/langgraph',
  mastra: '@mastra/core',
  adk: '@google/adk',
  genkit: 'genkit',
  strands: '@strands-agents/sdk',
  mcp: '@modelcontextprotocol/client @modelcontextprotocol/sdk',
  openai: 'openai',
  anthropic: '@anthropic-ai/sdk',
  'google-genai': '@google/genai',
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'toolpact-installs-'));
const { npm_config_local_prefix: _, ...env } = process.env;
const run = (command: string, words: readonly string[], cwd: string): string =>
  execFileSync(command, words, { cwd, env, encoding: 'utf8', stdio: 'pipe' });

/** Installs as a reader does. Throws for what npm warns of, apart from its own settings and from packages that a framework should replace. */
function install(packages: readonly string[], cwd: string): void {
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  const { status, stderr } = spawnSync('npm', words, { cwd, env, encoding: 'utf8' });
  const warnings = stderr.split('\n').filter((line) => /^npm (warn|error)/i.test(line) && !/Unknown \w+ config|warn deprecated/.test(line));
  if (status !== 0 || warnings.length > 0) throw Object.assign(new Error(`npm ended with ${status}`), { stderr });
}

const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', base], root)) as [
  { filename: string },
];
for (const [adapter, packages] of Object.entries(projects)) {
  const folder = join(base, adapter);
  mkdirSync(folder);
  writeFileSync(join(folder, 'program.mjs'), `await import('toolpact/adapters/${adapter}');\n`);
  try {
    run('npm', ['init', '-y'], folder);
    install([`../${filename}`, 'zod', ...packages.split(' ')], folder);
    run(process.execPath, ['program.mjs'], folder);
    console.log(`ok      ${adapter}: ${packages}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED  ${adapter}: ${packages}\n${String((error as { stderr?: unknown }).stderr ?? error)}`);
  }
  rmSync(folder, { recursive: true, force: true });
}
rmSync(base, { recursive: true, force: true });
