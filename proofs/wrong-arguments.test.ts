import { pathToFileURL } from 'node:url';
import { createToolbox, defineTool, ToolFailure, ToolpactError } from 'toolpact';
import { expect, test } from 'vitest';
import { entries, internalEntries, pathOf } from './house/own-packages.ts';

/** Mistaken arguments of a caller without a compiler. The text is a fit path for `sqliteStore`, which would write a file anywhere else. */
const given: readonly unknown[] = [undefined, null, 42, ':memory:', {}, { unknownOption: 1 }];

/** Failures of a model provider have an error of their own, which says what cannot be read. */
const named = (thrown: unknown): boolean =>
  thrown instanceof ToolpactError ||
  thrown instanceof ToolFailure ||
  (thrown as { readonly name?: string }).name === 'PromptEvaluationError';

/** The first reads the standard input; the others take only what the runtime or a server gives to the author of a guard, an engine or a dialect. */
const notCalled = new Set(['serveStdio', 'adviceFor', 'toQuestion', 'toStepRecord', 'coded.refusal']);

test.each(entries.filter(({ specifier }) => !internalEntries.includes(specifier)))(
  'every function of $specifier says what is wrong with what it is given',
  async ({ source }) => {
    const raw: string[] = [];
    for (const [name, call] of functionsOf((await import(pathToFileURL(pathOf(source)).href)) as object)) {
      for (const value of given) {
        try {
          await call(value);
        } catch (thrown) {
          if (!named(thrown)) raw.push(`${name}(${JSON.stringify(value)}): ${String(thrown)}`);
        }
      }
    }
    expect(raw).toEqual([]);
  },
);

function functionsOf(module: object): readonly (readonly [name: string, call: (value: unknown) => unknown])[] {
  const isCalled = (value: unknown): value is (given: unknown) => unknown =>
    typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value));
  const all = Object.entries(module).flatMap(([name, value]) => {
    if (isCalled(value)) return [[name, value] as const];
    return Object.entries((value as object | undefined) ?? {}).flatMap(([method, member]) =>
      isCalled(member) ? [[`${name}.${method}`, member] as const] : [],
    );
  });
  return all.filter(([name]) => !notCalled.has(name));
}

const ping = defineTool({ name: 'ping', description: 'Pings.', run: () => 'pong' });

test.each<[options: object, message: string]>([
  [{ report: 'console' }, 'createToolbox: report must be a function'],
  [{ events: () => undefined }, 'createToolbox: events must be an object'],
  [{ expose: 'all' }, 'createToolbox: expose must be "redacted", "authored", "full" or "verbatim"'],
  [{ timeoutMs: true }, 'createToolbox: timeoutMs must be a number above 0'],
  [{ timeoutMs: 'a number above 0' }, 'createToolbox: timeoutMs must be a number above 0'],
  [{ report: 'a function' }, 'createToolbox: report must be a function'],
  [{ echoInput: 1 }, 'createToolbox: echoInput must be a boolean'],
  [{ redact: { results: 'yes' } }, 'redact: results must be a boolean'],
  [{ redact: { zzz: 1 } }, 'redact: the option "zzz" does not exist. It takes "patterns", "keys", "paths" and "results".'],
  [{ use: {} }, 'createToolbox: use must be an array of guards'],
  [{ redact: 'password' }, 'redact: options must be an object with "patterns", "keys", "paths" or "results"'],
  [{ redact: { keys: 'password' } }, 'redact: keys must be an array'],
  [{ redact: { pattern: [/x/] } }, 'redact: the option "pattern" does not exist. Did you mean "patterns"?'],
])('a toolbox with %j says what is wrong', (options, message) => {
  expect(() => createToolbox([ping], options)).toThrow(expect.objectContaining({ name: 'ToolpactError', message }));
});

test('a pattern to hide may be a text', async () => {
  const tell = defineTool({ name: 'tell', description: 'Tells.', run: () => Promise.reject(new Error('the code is blue-42')) });
  const patterns = ['blue-\\d+'] as unknown as RegExp[];
  const outcome = await createToolbox([tell], { redact: { patterns }, report: () => undefined }).call('tell', {});
  expect(outcome).toMatchObject({ error: { message: 'the code is [redacted]' } });
});
