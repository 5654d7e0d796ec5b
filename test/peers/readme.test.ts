import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The README's programs are compiled as a reader would write them: strict, against the published entry points and the real frameworks. */

const root = new URL('../../', import.meta.url);
const programs = [...readFileSync(new URL('README.md', root), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
  ([, program = '']) => program,
);

/** What each program takes from the ones before it, or from the reader's own application, by a word that only it has. */
const given: Readonly<Record<string, string>> = {
  "from 'toolpact';": '',
  "from 'ai';": `import type { LanguageModel } from 'ai';
import { toolbox } from './1.ts';
declare const model: LanguageModel, prompt: string;`,
  "'toolpact/adapters/openai'": `import type OpenAI from 'openai';
import { toolbox } from './1.ts';
declare const client: OpenAI, messages: OpenAI.ChatCompletionMessageParam[];`,
  "'toolpact/history'": `import type Anthropic from '@anthropic-ai/sdk';
import type { Outcome } from 'toolpact';
declare let messages: Anthropic.MessageParam[];
declare const ledger: Map<string, Outcome>;`,
  "'toolpact/guards'": `import { createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';
declare const bank: { pay(invoice: string, amount: number, options: { idempotencyKey: string | undefined }): Promise<{ paid: true }> };
declare const handle: string;`,
  "'toolpact/client'": `import { toolbox } from './1.ts';`,
  "'toolpact/packs/openapi'": 'declare const description: string;',
  "name: 'transfer'": `import { createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';
import { forecast } from './1.ts';
declare const log: Pick<Console, 'error'>, metrics: { count(...words: string[]): void }, signal: AbortSignal;`,
  "'toolpact/dialects'": `import { type AnyTool, createToolbox, type Outcome } from 'toolpact';
declare const outcome: Outcome, envelope: unknown, tools: readonly AnyTool[];`,
};

test('every program of the README compiles', () => {
  const folder = new URL('.cache/readme/', root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  symlinkSync(fileURLToPath(new URL('test/peers/node_modules', root)), new URL('node_modules', folder));
  for (const [index, program] of programs.entries()) {
    const [before] = Object.keys(given).filter((word) => program.includes(word));
    expect(before, `what program ${index + 1} is given:\n${program}`).toBeDefined();
    writeFileSync(new URL(`${index + 1}.ts`, folder), `${given[before ?? '']}\n${program}\nexport {};\n`);
  }
  const compilerOptions = { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false };
  const config = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'], exclude: ['node_modules'] };
  writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(config));
  expect(compile(fileURLToPath(folder))).toBe('');
  expect(programs).toHaveLength(Object.keys(given).length);
});

/** Gives what the compiler has to complain about. */
function compile(folder: string): string {
  const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
  try {
    return execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', cwd: folder, timeout: 55_000 });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? error);
  }
}
