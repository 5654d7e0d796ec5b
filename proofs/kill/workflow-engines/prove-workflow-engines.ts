// Compiles the programs of docs/workflow-engines.md against the packages of the engines, and runs them.
// Usage: node scripts/run.mjs proof workflow-engines [--only dbos]
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { blocksOf } from '../../docs/programs.ts';
import { sourceArguments } from '../../fixtures/source-arguments.ts';
import { startPostgres } from '../../fixtures/start-postgres.ts';
import { engines } from './engines.ts';
import { startBank } from './start-bank.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const folder = join(root, '.cache/workflow-engines', only ?? 'all');
const chosen = Object.entries(engines).filter(([name]) => only === undefined || name === only);
assert.ok(chosen.length > 0, `There is no engine "${only}". Known: ${Object.keys(engines).join(', ')}`);

/** Writes the programs where they find the packages of proofs/kill and proofs/peers. */
function writePrograms(): void {
  rmSync(folder, { recursive: true, force: true });
  const packages = { kill: ['workflow', 'inngest', '@temporalio'], peers: ['@dbos-inc', 'pg'] };
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const [place, names] of Object.entries(packages))
    for (const name of names) symlinkSync(join(root, `proofs/${place}/node_modules`, name), join(folder, 'node_modules', name));
  const programs = new Map(blocksOf('docs/workflow-engines.md').map(({ file, text }) => [file, text]));
  const known = ['tools.ts', ...Object.values(engines).flatMap(({ files }) => files)];
  assert.deepEqual([...programs.keys()], known, 'each program of the page is one that is run here');
  for (const file of ['tools.ts', ...chosen.flatMap(([, { files }]) => files)]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), programs.get(file) ?? '');
  }
  // With ours, our entries lead to their source, for the builder of Vercel Workflow too.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['**/*.ts'], exclude: ['node_modules'] }),
  );
}

/** Kills the process of a run once the bank has paid, takes the run up in another one, and gives what it was told. */
async function toldAfterKill(name: string, postgres: string, invoice: string): Promise<string> {
  const program = fileURLToPath(new URL('clerk-child.ts', import.meta.url));
  const begin = (...more: string[]) =>
    spawn(process.execPath, [...sourceArguments, program, name, folder, postgres, invoice, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const first = begin();
  let output = '';
  const runId = new Promise<string>((resolve, reject) => {
    first.stdout.setEncoding('utf8').on('data', (more: string) => {
      output += more;
      const id = /^run (\S+)\n/m.exec(output)?.[1];
      if (id !== undefined) resolve(id);
    });
    first.once('exit', () => reject(new Error(`${name} ended before it was killed: ${output}`)));
  });
  const [id] = await Promise.all([runId, bank.paidUnanswered(invoice)]);
  first.kill('SIGKILL');
  const told = /^told (.*)$/m.exec(await text(begin(id).stdout))?.[1];
  assert.ok(told !== undefined, `${name}: another process takes the run up`);
  return JSON.parse(told) as string;
}

writePrograms();
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'inherit' });
console.log('the programs compile');

const bank = await startBank();
const server = await startPostgres();
process.env.BANK_URL = bank.url;
process.env.DATABASE_URL = server.connectionString;
for (const [name, { start }] of chosen) {
  const postgres = server.connectionString.replace(/\/postgres$/, `/${name}`);
  const { pay, durable } = await start({ folder, postgres });
  const invoice = (kind: string): string => `${kind} ${name}`;
  const ends = async (kind: string) => {
    const told = await pay({ invoice: invoice(kind), amount: 20 });
    return { told, asked: bank.asked(invoice(kind)), paid: bank.paid(invoice(kind)) };
  };
  const receiptOf = (kind: string): string => `receipt of ${invoice(kind)}`;

  assert.deepEqual(await ends('usual'), { told: receiptOf('usual'), asked: 1, paid: 1 }, `${name}: pays`);
  assert.deepEqual(
    await ends('usual'),
    { told: receiptOf('usual'), asked: 1, paid: 1 },
    `${name}: another run of the same invoice pays nothing`,
  );
  assert.deepEqual(await ends('busy'), { told: receiptOf('busy'), asked: 2, paid: 1 }, `${name}: tries a refusal again`);
  const { told, ...counts } = await ends('lost');
  assert.deepEqual(counts, { asked: 1, paid: 1 }, `${name}: does not repeat a payment whose answer was lost`);
  // Where a run that failed is named, nothing speaks of retries.
  assert.match(
    told,
    /^(Workflow run "\w+" failed: )?\[error: unreachable\].*\n.*may have taken effect/,
    `${name}: hands on that the effect is unknown`,
  );
  console.log(`held ${name}: ${told}`);
  if (durable === undefined) continue;
  const afterKill = await toldAfterKill(name, `${postgres}-killed`, invoice('killed'));
  assert.match(afterKill, /\[error: interrupted\].*\n.*may have taken effect/, `${name}: tells of a payment that a crash cut off`);
  assert.equal(bank.paid(invoice('killed')), 1, `${name}: does not pay again after a crash`);
  console.log(`held ${name}, killed: ${afterKill}`);
}
console.log('nothing was paid twice, and what is not known was said');
await server.remove();
bank.close();
process.exit(0);
