import type { JsonObject } from 'toolpact';
import { checkToolName, flattenSchema, isRecord, type SchemaPart, toNameKey } from 'toolpact/internal';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { clip } from './tool-outcome.ts';

const reads = /^(?:get|list|search|find|read|fetch|look_?up|query|describe|count|show|view|check)(?=[_\-:.A-Z]|$)/;
const writes =
  /^(?:create|delete|remove|update|insert|add_to|pay|send|post|put|write|publish|cancel|transfer|approve|upload|drop|purge)(?=[_\-:.A-Z]|$)/;
/** Every client respells the names that MCP itself allows; anything else is a mistake. */
const respelled = /[^\w.:/-]/;
const longestDescription = 1_024;
const shortestDescription = 12;

/** Checks of a tool by its listing, without calling it. */
export const toolListingChecks: readonly ToolCheck[] = [
  defineToolCheck({
    id: 'tools/name',
    group: 'name',
    requirement: 'The name is one every provider accepts, and no other tool has one that looks the same.',
    why: 'Providers refuse a whole request for one bad name, and rewrite some characters: two names that differ only there are one name to the model.',
    fix: 'Use letters, digits, "_" and "-", at most 64 of them, as action or resource:action; rename one of two that clash.',
    example: "defineTool({ name: 'search_orders', … })",
    *run({ tool, siblings }) {
      const { listedName = tool.name } = tool;
      const problem = checkToolName(tool.name) ?? (respelled.test(listedName) ? checkToolName(listedName) : undefined);
      if (problem !== undefined) yield { message: problem };
      for (const other of siblings) {
        if (other !== tool && tool.listedName !== undefined && (other.listedName ?? other.name) === tool.listedName)
          yield { message: 'another tool is listed under the same name', evidence: clip(tool.listedName) };
        if (other !== tool && toNameKey(other.name) === toNameKey(tool.name)) yield { message: `it looks the same as "${other.name}"` };
      }
    },
  }),
  defineToolCheck({
    id: 'tools/description',
    group: 'words',
    level: 'should',
    requirement: 'A description says in a sentence or more what the tool is for, and is not longer than providers take.',
    why: 'The description is all a model has to choose by. Some providers cut or refuse more than 1,024 characters.',
    fix: 'Write one to three sentences: what it does, when to use it, what it gives back.',
    example: "description: 'Searches orders by customer or date. Gives the newest 20. Use get_order for one order in full.'",
    *run({ tool: { name, description } }) {
      const text = typeof description === 'string' ? description.trim() : '';
      if (text === '') yield { message: 'it has no description' };
      else if (toNameKey(text) === toNameKey(name)) yield { message: 'the description only repeats the name', evidence: text };
      else if (text.length < shortestDescription) yield { message: 'the description is too short to choose by', evidence: text };
      if (text.length > longestDescription) yield { message: `the description has ${text.length} characters` };
    },
  }),
  defineToolCheck({
    id: 'tools/field-descriptions',
    group: 'words',
    level: 'should',
    requirement: 'Every field of the input is described.',
    why: 'A model guesses what a bare name means, which unit it has and which form is wanted.',
    fix: 'Describe each field: meaning, unit, form.',
    example: "z.object({ days: z.number().int().describe('How many days ahead, 1 to 7.') })",
    *run({ tool: { inputSchema } }) {
      const bare = [...fieldsWithout(inputSchema, inputSchema)];
      if (bare.length > 0) yield { message: `fields without a description: ${bare.slice(0, 8).join(', ')}${bare.length > 8 ? ', …' : ''}` };
    },
  }),
  defineToolCheck({
    id: 'tools/examples',
    group: 'words',
    level: 'should',
    requirement: 'A tool with arguments has at least one example of a call.',
    why: 'An example is the shortest explanation: answers to bad arguments show it, and models copy it.',
    fix: 'Give an example of a call that works.',
    example: "examples: [{ input: { city: 'Kyoto', days: 3 } }]",
    *run({ tool: { inputSchema, examples } }) {
      const fields = flattenSchema(inputSchema, inputSchema).properties;
      if (!isRecord(fields) || Object.keys(fields).length === 0) return 'it takes no arguments';
      const inSchema = Array.isArray(inputSchema.examples) ? inputSchema.examples : [];
      if ((examples?.length ?? 0) + inSchema.length === 0) yield { message: 'it has no example' };
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/examples-fit',
    group: 'words',
    requirement: 'Every example fits the schemas it is an example of.',
    why: 'A model that copies a wrong example fails with every call.',
    fix: 'Correct the example or the schema.',
    *run({ tool: { examples = [] }, input, output }) {
      if (examples.length === 0) return 'it has no example';
      for (const example of examples) {
        if (input.fits(example.input) === false) yield { message: 'an example breaks the input schema', evidence: clip(example.input) };
        if ('output' in example && output?.fits?.(example.output) === false)
          yield { message: 'an example breaks the output schema', evidence: clip(example.output) };
      }
      return undefined;
    },
  }),
  defineToolCheck({
    id: 'tools/effects-declared',
    group: 'words',
    level: 'should',
    requirement: 'The tool says what it does to the outside world, and says the same as its name.',
    why: 'Whether a failed call may be repeated follows from it. What says nothing counts as writing: after a timeout or a lost connection it is never retried, the model is told to check whether it took effect, and its results are never cached. What wrongly says "none" is repeated with harm.',
    fix: "Declare effects: 'none' for what only reads, 'idempotent' for what may be repeated, 'writes' for the rest; in MCP readOnlyHint and idempotentHint.",
    example: "defineTool({ name: 'get_order', effects: 'none', … })",
    *run({ tool: { name, effects, effectsDeclared }, plan }) {
      const action = name.includes(':') ? name.slice(name.indexOf(':') + 1) : name;
      const stated = (plan?.guardOptions ?? {}) as { readonly name?: string; readonly effects?: unknown };
      const isDeclared = effectsDeclared ?? (stated.name === undefined || stated.effects !== undefined);
      if (!isDeclared) yield { message: 'it does not say what it does to the outside world, so it counts as writing and is never retried' };
      else if (effects === 'writes' && reads.test(action))
        yield { message: 'it is named like something that reads, but counts as writing' };
      else if (effects === 'none' && writes.test(action))
        yield { message: 'it is named like something that writes, but says it has no effect' };
    },
  }),
];

function* fieldsWithout(
  part: SchemaPart,
  root: JsonObject,
  path: readonly string[] = [],
  seen: readonly unknown[] = [],
): Generator<string> {
  const found = flattenSchema(part, root);
  // A schema that refers to itself is reported once.
  const self = part.$ref ?? part;
  if (seen.includes(self) || path.length > 6) return;
  const { properties, items } = found;
  for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) {
    if (!isRecord(field)) continue;
    const steps = [...path, name];
    const described = [field.description, flattenSchema(field, root).description, field.title].some(
      (text) => typeof text === 'string' && text.trim() !== '',
    );
    if (!described) yield steps.join('.');
    yield* fieldsWithout(field, root, steps, [...seen, self]);
  }
  if (isRecord(items)) yield* fieldsWithout(items, root, [...path, '*'], [...seen, self]);
}
