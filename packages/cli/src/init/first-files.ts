import type { Framework } from './frameworks.ts';

/** Writes the first tool of a project, and how its framework takes the tools. */
export function toolsFile(framework: Framework | undefined): string {
  return `import { defineTool } from 'toolpact';
import { z } from 'zod';

export const toFahrenheit = defineTool({
  name: 'to_fahrenheit',
  description: 'Converts degrees Celsius to degrees Fahrenheit.',
  input: z.object({ celsius: z.number().describe('The temperature in degrees Celsius.') }),
  output: z.object({ fahrenheit: z.number() }),
  // The changes that a call may make outside: 'none', 'idempotent' (repeating is safe) or 'writes'.
  effects: 'none',
  // Failures of your own, each of a known kind. Everything else that is thrown is explained too.
  failures: { too_cold: 'invalid_input' },
  examples: [{ input: { celsius: 100 }, output: { fahrenheit: 212 } }],
  run({ celsius }, { fail }) {
    if (celsius < -273.15) throw fail('too_cold', 'Nothing is colder than -273.15 degrees Celsius.');
    return { fahrenheit: celsius * 1.8 + 32 };
  },
});

// In a program of yours${framework === undefined ? '' : `, with ${framework.name}`}:
//   import { createToolbox } from 'toolpact';
${usage(framework)}`;
}

function usage(framework: Framework | undefined): string {
  const toolbox = '//   const toolbox = createToolbox([toFahrenheit]);\n';
  if (framework === undefined) return `${toolbox}//   const outcome = await toolbox.call('to_fahrenheit', { celsius: 100 });\n`;
  return `//   import { ${framework.imports} } from 'toolpact/adapters/${framework.from}';\n${toolbox}//   ${framework.line}\n`;
}

/** Writes a first test, for vitest or for Node's own runner. */
export function testFile(hasVitest: boolean): string {
  return hasVitest
    ? `import { checkTools } from '@toolpact/testing';
import { createToolbox } from 'toolpact';
import { expect, test } from 'vitest';
import { toFahrenheit } from './tools.ts';

test('converts degrees', async () => {
  expect(await toFahrenheit.call({ celsius: 100 })).toMatchObject({ status: 'ok', data: { fahrenheit: 212 } });
});

test('a failure is an answer, and says what to do next', async () => {
  expect(await toFahrenheit.call({ celsius: -300 })).toMatchObject({ status: 'error', error: { code: 'too_cold', recovery: 'fix_input' } });
});

test('keeps what a model relies on', async () => {
  expect(await checkTools(createToolbox([toFahrenheit]))).toEqual([]);
});
`
    : `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTools } from '@toolpact/testing';
import { createToolbox } from 'toolpact';
import { toFahrenheit } from './tools.ts';

test('converts degrees', async () => {
  const outcome = await toFahrenheit.call({ celsius: 100 });
  assert.deepEqual(outcome.status === 'ok' && outcome.data, { fahrenheit: 212 });
});

test('a failure is an answer, and says what to do next', async () => {
  const outcome = await toFahrenheit.call({ celsius: -300 });
  assert.deepEqual(outcome.status === 'error' && [outcome.error.code, outcome.error.recovery], ['too_cold', 'fix_input']);
});

test('keeps what a model relies on', async () => {
  assert.deepEqual(await checkTools(createToolbox([toFahrenheit])), []);
});
`;
}

/** The settings of the compiler for files that Node runs as they are: imports name the `.ts` files, and nothing is written. */
export const compilerFile = `{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true
  }
}
`;

/** Writes the settings of a project; every field has a default. */
export function configFile(tools: string): string {
  return `import { defineConfig } from '@toolpact/cli/config';

// All settings: npx toolpact help dev
export default defineConfig({ tools: '${tools}' });
`;
}

/** The heading by which `AGENTS.md` shows that it names Toolpact already. */
export const agentsHeading = '## Tools (Toolpact)';

/** Tells a coding agent where to read how tools are written here. */
export const agentsBlock = `${agentsHeading}

The tools of this project are written with \`toolpact\`. Before you write or change one, read
\`node_modules/toolpact/skills/toolpact/SKILL.md\` and the page that it names for your task. Afterwards run
\`npx toolpact check\` and fix what it reports.
`;
