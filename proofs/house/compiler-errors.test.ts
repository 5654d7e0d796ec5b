import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** A mistake in a definition reads as the field that is wrong: the first line of what the compiler says, and the text it points at. */

const root = new URL('../../', import.meta.url);

interface Mistake {
  readonly title: string;
  readonly program: string;
  /** The text that the error points at. */
  readonly at: string;
  readonly says: string;
}

/** The compiler's name of a definition whose name is `a` and whose `run` returns a number. */
const definition = `ToolDefinition<"a", NoInput, undefined, NoFailures, number, undefined, unknown>`;

/** The compiler's name of a definition that lacks a required field and has an unknown one: it infers nothing then. */
const notInferred = 'ToolDefinition<string, NoInput, undefined, NoFailures, unknown, undefined, unknown>';

/** How the compiler shortens the list of the kinds. */
const kinds =
  '"all_failed" | "bad_response" | "budget_exhausted" | "cancelled" | "conflict" | "denied" | "failed" | "forbidden" | "internal" | "interrupted" | ' +
  '"invalid_input" | "invalid_output" | ... 10 more ... | "upstream"';

/** The codes of the tool `transfer`, and those that every tool may end with. */
const codes =
  '"approval_expired" | "arguments_truncated" | "circuit_open" | "insufficient_funds" | "key_reused" | "plan_changed" | "repeat_refused" | "skipped" | "undecodable"';

const mistakes: readonly Mistake[] = [
  {
    title: 'no description',
    program: `defineTool({ name: 'a', run: () => 1 });`,
    at: '{ name',
    says: `TS2741: Property 'description' is missing in type '{ name: "a"; run: () => number; }' but required in type '${definition}'.`,
  },
  {
    title: 'no run',
    program: `defineTool({ name: 'a', description: 'x' });`,
    at: '{ name',
    says: `TS2741: Property 'run' is missing in type '{ name: "a"; description: string; }' but required in type '${definition.replace('number', 'unknown')}'.`,
  },
  {
    title: 'a misspelt field',
    program: `defineTool({ name: 'a', description: 'x', efects: 'none', run: () => 1 });`,
    at: 'efects',
    says: `TS2561: Object literal may only specify known properties, but 'efects' does not exist in type '${definition}'. Did you mean to write 'effects'?`,
  },
  {
    title: 'an unknown field',
    program: `defineTool({ name: 'a', description: 'x', title: 'A', run: () => 1 });`,
    at: 'title',
    says: `TS2353: Object literal may only specify known properties, and 'title' does not exist in type '${definition}'.`,
  },
  {
    title: 'another name for a required field',
    program: `defineTool({ name: 'a', description: 'x', input: z.object({ q: z.string() }), output: z.string(), execute: () => 'x' });`,
    at: 'execute',
    says: `TS2353: Object literal may only specify known properties, and 'execute' does not exist in type '${notInferred}'.`,
  },
  {
    title: 'a misspelt required field',
    program: `defineTool({ name: 'a', descripton: 'x', input: z.object({ q: z.string() }), examples: [{ input: { q: 'x' } }], run: ({ q }) => q });`,
    at: 'descripton',
    says: `TS2561: Object literal may only specify known properties, but 'descripton' does not exist in type '${notInferred}'. Did you mean to write 'description'?`,
  },
  {
    title: 'unknown effects',
    program: `defineTool({ name: 'a', description: 'x', effects: 'reads', run: () => 1 });`,
    at: 'effects',
    says: `TS2322: Type '"reads"' is not assignable to type '"idempotent" | "none" | "writes"'.`,
  },
  {
    title: 'a failure of an unknown kind',
    program: `defineTool({ name: 'a', description: 'x', failures: { taken: 'conflct' }, run: () => 1 });`,
    at: 'taken',
    says: `TS2820: Type '"conflct"' is not assignable to type '${kinds}'. Did you mean '"conflict"'?`,
  },
  {
    title: 'a time that is no number',
    program: `defineTool({ name: 'a', description: 'x', timeoutMs: '5s', run: () => 1 });`,
    at: 'timeoutMs',
    says: `TS2322: Type 'string' is not assignable to type 'number'.`,
  },
  {
    title: 'an input that is a text',
    program: `defineTool({ name: 'a', description: 'x', input: z.string(), run: (text) => text });`,
    at: 'input',
    says: `TS2322: Type 'ZodString' is not assignable to type 'ObjectSchema'.`,
  },
  {
    title: 'an input that is a list',
    program: `defineTool({ name: 'a', description: 'x', input: z.array(z.string()), run: (texts) => texts });`,
    at: 'input',
    says: `TS2322: Type 'ZodArray<ZodString>' is not assignable to type 'ObjectSchema'.`,
  },
  {
    title: 'an output that is no schema',
    program: `defineTool({ name: 'a', description: 'x', output: { id: 'number' }, run: () => 1 });`,
    at: 'id',
    says: `TS2353: Object literal may only specify known properties, and 'id' does not exist in type 'StandardSchemaV1<unknown, unknown>'.`,
  },
  {
    title: 'a result that breaks the output',
    program: `defineTool({ name: 'a', description: 'x', output: z.object({ id: z.number() }), run: () => ({ id: 'x' }) });`,
    at: `id: 'x'`,
    says: `TS2322: Type 'string' is not assignable to type 'number'.`,
  },
  {
    title: 'a promised result that breaks the output',
    program: `defineTool({ name: 'a', description: 'x', output: z.object({ id: z.number() }), run: async () => ({ id: 'x' }) });`,
    at: `({ id: 'x' })`,
    says: `TS2322: Type 'Promise<{ id: string; }>' is not assignable to type 'Promise<Returned<{ id: number; }>> | Returned<{ id: number; }>'.`,
  },
  {
    title: 'a fallback that breaks the output',
    program: `defineTool({ name: 'a', description: 'x', output: z.object({ id: z.number() }), onFailure: { id: 'x' }, run: () => ({ id: 1 }) });`,
    at: `id: 'x'`,
    says: `TS2322: Type 'string' is not assignable to type 'number'.`,
  },
  {
    title: 'an example that breaks the input',
    program: `defineTool({ name: 'a', description: 'x', input: z.object({ q: z.string() }), examples: [{ input: { q: 1 } }], run: () => 1 });`,
    at: 'q: 1',
    says: `TS2322: Type 'number' is not assignable to type 'string'.`,
  },
  {
    title: 'a field that the input does not have',
    program: `defineTool({ name: 'a', description: 'x', input: z.object({ q: z.string() }), run: ({ p }) => p });`,
    at: 'p }) ',
    says: `TS2339: Property 'p' does not exist on type '{ q: string; }'.`,
  },
  {
    title: 'a step without steps',
    program: `defineTool({ name: 'a', description: 'x', run: (_input, { step }) => step('send', () => 1) });`,
    at: 'step }',
    says: `TS2339: Property 'step' does not exist on type 'RunContext<unknown, string>'.`,
  },
  {
    title: 'a field that the context of the application does not have',
    program: `defineTool.withContext<{ db: string }>()({ name: 'a', description: 'x', run: (_input, { app }) => app.dp });`,
    at: 'dp });',
    says: `TS2339: Property 'dp' does not exist on type '{ db: string; }'.`,
  },
  {
    title: 'an argument of the wrong type',
    program: `transfer.call({ amount: '5' });`,
    at: `amount`,
    says: `TS2322: Type 'string' is not assignable to type 'number'.`,
  },
  {
    title: 'a missing argument',
    program: `transfer.call({});`,
    at: `{}`,
    says: `TS2741: Property 'amount' is missing in type '{}' but required in type '{ amount: number; }'.`,
  },
  {
    title: 'an argument that the tool does not take',
    program: `transfer.call({ amount: 5, to: 'ann' });`,
    at: `to`,
    says: `TS2353: Object literal may only specify known properties, and 'to' does not exist in type '{ amount: number; }'.`,
  },
  {
    title: 'a code that the tool does not have',
    program: `transfer.call({ amount: 5 }).then((o) => o.status === 'error' && o.error.code === 'no_funds');`,
    at: `o.error`,
    says: `TS2367: This comparison appears to be unintentional because the types '${codes} | undefined' and '"no_funds"' have no overlap.`,
  },
  {
    title: 'data of an outcome that may be an error',
    program: `transfer.call({ amount: 5 }).then((o) => o.data.done);`,
    at: `data`,
    says: `TS2339: Property 'data' does not exist on type 'Outcome<{ done: boolean; }, ${codes}>'.`,
  },
  {
    title: 'a failure that is neither a code of the tool nor a kind',
    program: `defineTool({ name: 'a', description: 'x', failures: { taken: 'conflict' }, run: (_input, { fail }) => fail('takn', 'x') });`,
    at: `'takn'`,
    says: `TS2345: Argument of type '"takn"' is not assignable to parameter of type '"all_failed" | "approval_expired" | "arguments_truncated" | "bad_response" | "budget_exhausted" | "cancelled" | "circuit_open" | "conflict" | "denied" | "failed" | "forbidden" | ... 20 more ... | "upstream"'.`,
  },
  {
    title: 'a tool that the toolbox does not have',
    program: `box.call('transfr', { amount: 5 });`,
    at: `'transfr'`,
    says: `TS2345: Argument of type '"transfr"' is not assignable to parameter of type '"transfer"'.`,
  },
  {
    title: 'a decision without a store',
    program: `box.approvals.decide('handle', 'approve');`,
    at: `approvals`,
    says: `TS2339: Property 'approvals' does not exist on type 'ToolboxWith<readonly [Tool<"transfer", { amount: number; }, { done: boolean; }, ${codes}, unknown>], object>'.`,
  },
  {
    title: 'a field that the context of a call does not have',
    program: `box.call('transfer', { amount: 5 }, { tenant: 'acme' });`,
    at: `tenant`,
    says: `TS2561: Object literal may only specify known properties, but 'tenant' does not exist in type 'CallContext<unknown>'. Did you mean to write 'tenantId'?`,
  },
  {
    title: 'a misspelt option of a toolbox',
    program: `createToolbox([transfer], { uses: [] });`,
    at: `uses`,
    says: `TS2561: Object literal may only specify known properties, but 'uses' does not exist in type 'ToolboxOptions<readonly Guard<object>[], undefined>'. Did you mean to write 'use'?`,
  },
];

/** Code that compiles without an annotation, so that the mistakes above are the only ones. */
const correct = `
export const read = defineTool({
  name: 'read',
  description: 'x',
  input: z.object({ q: z.string() }),
  failures: { gone: 'not_found' },
  run: async ({ q }, { fail }) => (q === '' ? fail('gone', 'It is gone.') : { q }),
  toModel: ({ q }) => q.toUpperCase(),
});
const outcome = await read.call({ q: 'a' });
if (outcome.status === 'error') console.log(causeOf(outcome.error.debugId), outcome.error.code === 'gone');
if (outcome.status === 'ok') console.log(outcome.data.q.length);
export const given = (input: StandardSchemaV1<object>, output: StandardSchemaV1 | undefined) =>
  defineTool({ name: 'given', description: 'x', input, ...(output && { output }), run: () => 1 });
`;

test('a mistake in a definition reads as the field that is wrong', () => {
  const folder = new URL('.cache/compiler-errors/', root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const imports = `import { causeOf, createToolbox, defineTool, type StandardSchemaV1 } from 'toolpact';\nimport { z } from 'zod';\n`;
  const used = `export const transfer = defineTool({ name: 'transfer', description: 'x', input: z.object({ amount: z.number() }), failures: { insufficient_funds: 'conflict' }, run: () => ({ done: true }) });\nexport const box = createToolbox([transfer]);\n`;
  writeFileSync(new URL('used.ts', folder), `${imports}${used}`);
  writeFileSync(new URL('correct.ts', folder), `${imports}${correct}`);
  // One program in each line, so that an error names its mistake by its line.
  writeFileSync(
    new URL('mistakes.ts', folder),
    [...mistakes.map(({ program }) => program), imports, `import { box, transfer } from './used.ts';`].join('\n'),
  );
  writeFileSync(new URL('tsconfig.json', folder), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));

  const errors = compile(fileURLToPath(folder)).map(({ line, column, says }) => {
    const { title, program } = mistakes[line - 1] ?? { title: '', program: '' };
    return `${title}\n  ${program.slice(column - 1)}\n  ${says}`;
  });
  const expected = mistakes.map(({ title, program, at, says }) => `${title}\n  ${program.slice(program.lastIndexOf(at))}\n  ${says}`);
  expect(errors).toEqual(expected);
}, 60_000);

/** Returns the first line of each error. */
function compile(folder: string): { readonly line: number; readonly column: number; readonly says: string }[] {
  const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
  let text = '';
  try {
    execFileSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8', cwd: folder, timeout: 55_000 });
  } catch (error) {
    text = String((error as { stdout?: unknown }).stdout ?? error);
  }
  return [...text.matchAll(/^\S+\((\d+),(\d+)\): error (.*)$/gm)].map(([, line, column, says = '']) => ({
    line: Number(line),
    column: Number(column),
    says,
  }));
}
