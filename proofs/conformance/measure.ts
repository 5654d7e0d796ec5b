import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromJsonSchema } from '@toolpact/openapi';
import { createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { checkStore, reportOnTools, type ToolSubject, type ToolsReport, toolChecks } from '@toolpact/testing';
import { createToolbox } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { dialects, originOptions } from '../../packages/cli/src/dialects.ts';
import { hostFiles, inPairs, versionOf } from '../battery/run-battery.ts';
import type { HostFacts, Line } from '../battery/run-host.ts';
import { quietFrameworks } from '../fixtures/quiet-frameworks.ts';
import { sourceArguments } from '../fixtures/source-arguments.ts';
import { startPostgres } from '../fixtures/start-postgres.ts';
import { checkDialect } from '../suites/dialects/check-dialect.ts';
import { checkServer } from '../suites/server/check-server.ts';
import { serverCaseTools } from '../suites/server/server-cases.ts';
import { toAdapterResult } from './adapter-result.ts';
import { withOwnTools } from './own-tools.ts';
import { type AdapterResult, type Broken, type ConformanceResults, type ToolsResult, toBroken } from './results.ts';

/** Runs `checkTools` on every tool we ship. */
export async function measureTools(): Promise<ConformanceResults['tools']> {
  return withOwnTools(async (subjects) => {
    // The machine may be busy with other tests. One of the samples takes long on purpose; and what they write, they write into their own memory.
    const judge = async ([name, subject]: [string, ToolSubject]) =>
      reportOnTools(subject, {
        schema: fromJsonSchema,
        graceMs: 10_000,
        ...(name === 'samples' ? { allowWrites: true } : { timeoutMs: 20_000 }),
      });
    const judged = Object.entries(subjects).map(async (entry) => [entry[0], toToolsResult(await judge(entry))] as const);
    return Object.fromEntries(await Promise.all(judged));
  });
}

function toToolsResult({ tools, findings }: ToolsReport): ToolsResult {
  const untested = toolChecks.flatMap(({ id }) => {
    const reasons = tools.map(({ verdicts }) => verdicts[id]).map((one) => (one?.verdict === 'untested' ? one.why : undefined));
    return reasons.every((why) => why !== undefined) ? [[id, [...new Set(reasons)].join('; ')] as const] : [];
  });
  const named = findings.map((finding) => ({ ...finding, message: `${finding.tool}: ${finding.message}` }));
  return { tools: tools.length, broken: toBroken(named), untested: Object.fromEntries(untested) };
}

/** Runs `checkAdapter` in every framework that an adapter is for, each in a process of its own. */
export async function measureAdapters(): Promise<readonly AdapterResult[]> {
  return (await inPairs(hostFiles, measureHosts)).flat();
}

/** Runs `checkStore` on every store we ship, on a real PostgreSQL too. */
export async function measureStores(): Promise<ConformanceResults['stores']> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-conformance-'));
  const server = await startPostgres();
  try {
    const schema = `s_${randomUUID()}`;
    return {
      memory: toBroken(await checkStore(() => memoryStore())),
      sqlite: toBroken(await checkStore(() => sqliteStore({ path: join(folder, 'store.db') }))),
      postgres: toBroken(await checkStore(() => postgresStore({ connectionString: server.connectionString, schema }))),
    };
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `checkDialect` on every dialect. */
export async function measureDialects(): Promise<ConformanceResults['dialects']> {
  const all = Object.entries(dialects);
  return Object.fromEntries(await Promise.all(all.map(async ([name, dialect]) => [name, toBroken(await checkDialect(dialect))] as const)));
}

/** Runs `checkServer` on our server, on each way to it. */
export async function measureServers(): Promise<ConformanceResults['servers']> {
  const make = () => {
    const toolbox = createToolbox(serverCaseTools(), { store: memoryStore(), report: () => undefined });
    return createServer(toolbox, { ...originOptions, auditLog: false });
  };
  const listening = async (): Promise<Broken> => {
    const { url, close } = await listen(make(), { port: 0 });
    const broken = toBroken(await checkServer(url));
    await close();
    return broken;
  };
  return {
    'fetch handler': toBroken(await checkServer(make().fetch)),
    'Node listener': await listening(),
  };
}

const script = fileURLToPath(new URL('../battery/run-host.ts', import.meta.url));

async function measureHosts(file: string): Promise<AdapterResult[]> {
  const words = [...sourceArguments, script, file, 'toolpact', 'checks'];
  const { NODE_OPTIONS: _, ...env } = process.env;
  const text = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      words,
      { env: { ...env, ...quietFrameworks }, maxBuffer: 2 ** 26, timeout: 120_000 },
      (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`the hosts of ${file} did not end well:\n${stderr.slice(-2000)}`)),
    );
  });
  const lines = text.split('\n').flatMap((line) => (/^\{"hosts?":/.test(line) ? [JSON.parse(line) as Line] : []));
  const hosts = lines.flatMap((line): readonly HostFacts[] => ('hosts' in line ? line.hosts : []));
  return hosts.map(({ name, title, adapter, packages }) => {
    const judged = lines.find((line) => 'findings' in line && line.host === name);
    if (judged === undefined || !('findings' in judged)) throw new Error(`nothing was found out about ${title}`);
    const versions = Object.fromEntries(packages.map((one) => [one, versionOf(one)]));
    return toAdapterResult({ name, title, adapter, versions }, judged.findings);
  });
}
