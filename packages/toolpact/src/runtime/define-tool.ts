import { exposeModes } from '../classify/index.ts';
import {
  type CallContext,
  type ContextFor,
  checkToolName,
  type Effects,
  exportJsonSchema,
  type FailureCodes,
  type InferInput,
  type InferOutput,
  type ObjectSchema,
  pathOf,
  type ResultOf,
  type ReturnFor,
  retryOptions,
  type StandardSchemaV1,
  type ToolContract,
} from '../contract/index.ts';
import { silentDispatcher } from '../events/index.ts';
import { pathText, takePromise } from '../json/index.ts';
import {
  catalogue,
  defaultRedactor,
  isFailureKind,
  type JsonObject,
  type OptionNames,
  type Outcome,
  type ReservedCode,
  refuseOption,
  refuseOptions,
  ToolpactError,
} from '../outcome/index.ts';
import { type Promised, promises } from '../ports/index.ts';
import type { Call } from './call.ts';
import { callTool } from './call-tool.ts';
import { checkApproval } from './check-approval.ts';
import { allEffects, runStepped } from './steps.ts';
import { type CallSettings, noPlan, nothingStated, planKey, type ToolPlan } from './tool-plan.ts';

/** A tool that can be called. It never throws and never rejects: however it fails, the caller gets an outcome. */
export interface Tool<TName extends string = string, TInput = never, TData = unknown, TCode extends string = string, TApp = never> {
  readonly name: TName;
  readonly description: string;
  readonly effects: Effects;
  readonly examples: readonly { readonly input: unknown; readonly output?: unknown }[];
  /** Calls the tool with its own settings, without a toolbox. */
  readonly call: (input: TInput, ...context: ContextOf<TApp>) => Promise<Outcome<TData, TCode>>;
}

/** The context a call takes: needed when the tool asks for the application's own, otherwise optional. */
export type ContextOf<TApp> = unknown extends TApp ? [context?: CallContext<TApp>] : [context: CallContext<TApp> & { readonly app: TApp }];

/** Any tool, whatever its types. */
export type AnyTool = Tool<string, never, unknown, string, never>;

/** The codes a tool's failures can carry: its own and the reserved ones, or any string when it declares none. */
export type CodesOf<TFailures extends FailureCodes> = string extends keyof TFailures
  ? string
  : Extract<keyof TFailures, string> | ReservedCode;

type NoInput = StandardSchemaV1<Record<string, never>, Record<string, never>>;
/** An interface, because the compiler shows it by its name and a record with all its kinds. */
interface NoFailures extends FailureCodes {}

/**
 * Defines tools; with an `output` schema results are checked against it, without one their type is what `run` returns. It has one signature, so
 * that the compiler names the field that is wrong.
 */
export type DefineTool<TApp> = <
  const TName extends string,
  TReturn,
  TOutput extends StandardSchemaV1 | undefined = undefined,
  TInput extends ObjectSchema = NoInput,
  const TFailures extends FailureCodes = NoFailures,
  const TSteps extends true | undefined = undefined,
>(
  definition: ToolDefinition<TName, TInput, TOutput, TFailures, TReturn, TSteps, TApp>,
) => Tool<TName, InferInput<TInput>, ResultOf<TOutput, TReturn>, CodesOf<TFailures>, TApp>;

/** A tool as its author writes it: what it promises, and how it runs. */
export interface ToolDefinition<
  TName extends string,
  TInput extends ObjectSchema,
  TOutput extends StandardSchemaV1 | undefined,
  TFailures extends FailureCodes,
  TReturn,
  TSteps extends true | undefined,
  TApp,
> extends ToolContract<TName, TInput, TOutput, TFailures, ResultOf<TOutput, TReturn>, TSteps> {
  /** Does the work. It returns data or a reply, and may throw whatever it likes. */
  readonly run: (input: InferOutput<TInput>, context: ContextFor<TSteps, TApp, CodesOf<TFailures>>) => ReturnFor<TOutput, TReturn>;
}

/**
 * Defines a tool once. Mistakes in the definition (a bad name, an example that breaks its schema) throw here and now;
 * calls never throw. All options: {@link ToolDefinition}; what `run` is given: {@link RunContext}, and also `step`, `sleep` and `waitFor` with `steps: true`.
 *
 * @example
 * const add = defineTool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   effects: 'none',
 *   run: ({ a, b }) => a + b,
 * });
 * const outcome = await add.call({ a: 1, b: 2 });
 */
export const defineTool: DefineTool<unknown> & {
  /** Returns a `defineTool` whose tools find this type under `ctx.app`. */
  readonly withContext: <TApp>() => DefineTool<TApp>;
} = Object.assign(define as unknown as DefineTool<unknown>, { withContext: <TApp>() => define as unknown as DefineTool<TApp> });

/** How a tool runs when it is called without a toolbox. */
export const defaultSettings: CallSettings = Object.freeze({
  expose: 'redacted',
  classify: 'words',
  report: undefined,
  telemetry: undefined,
  resources: undefined,
  timeoutMs: undefined,
  echoInput: true,
  repair: true,
  preset: undefined,
  maxResultChars: 100_000,
  use: [],
  provides: new Set<Promised>(),
  outer: [],
  guards: [],
  hasApproval: false,
  redactor: defaultRedactor,
  dispatcher: silentDispatcher,
  session: undefined,
  watched: false,
});

type AnyDefinition = ToolContract<string, StandardSchemaV1, StandardSchemaV1 | undefined, FailureCodes, unknown> & {
  readonly run: ToolPlan['run'];
};

function define(definition: AnyDefinition): AnyTool {
  checkDefinition(definition);
  const { name, description, effects = 'writes', examples = [] } = definition;
  return toTool(compile(definition), { name, description, effects, examples });
}

/** Gives a tool its plan. */
export function toTool(plan: ToolPlan, { name, description, effects, examples }: Omit<AnyTool, 'call'>): AnyTool {
  const tool = { name, description, effects, examples, call: callTool.bind(undefined, plan, defaultSettings), [planKey]: plan };
  return Object.freeze(tool);
}

function compile(definition: AnyDefinition): ToolPlan {
  const { input, output, steps, run, resource } = definition;
  const stated = { ...nothingStated, effects: 'writes' } as Record<string, unknown>;
  for (const key of Object.keys(nothingStated) as (keyof typeof nothingStated)[]) {
    if (definition[key] !== undefined) stated[key] = definition[key];
  }
  const needs = resource === undefined ? undefined : [resource].flat().map((needed) => (typeof needed === 'string' ? needed : needed.type));
  const own = steps === true ? runStepped(run) : run;
  let schemas: ReturnType<ToolPlan['schemas']> | undefined;
  return {
    ...noPlan,
    ...stated,
    needs,
    checkInput: validatorOf(input),
    checkOutput: validatorOf(output),
    run: needs ? runWith(needs, own) : own,
    declaresEffects: definition.effects !== undefined,
    steps: steps === true,
    exampleText: exampleTextOf(definition),
    guardOptions: definition,
    requires: requiredBy(definition),
    schemas: () => {
      schemas ??= exportSchemas(definition);
      return schemas;
    },
  };
}

/** Names the promises of a definition that need a store or a guard. */
export function requiredBy(definition: ToolPlan['guardOptions']): readonly Promised[] {
  return promises.filter((promise) => (definition[promise] ?? false) !== false);
}

/** Opens what a tool needs before it runs: until then the outside world has not changed. */
function runWith(needs: readonly string[], run: ToolPlan['run']): ToolPlan['run'] {
  return async (input, context) => {
    const call: Call = context;
    await Promise.all(needs.map(call.resource));
    call.handlerStarted = true;
    return run(input, context);
  };
}

/** Keeps the schema's own `this`: a library may well have made it a class. */
function validatorOf(schema: StandardSchemaV1 | undefined): ToolPlan['checkInput'] {
  const standard = schema?.['~standard'];
  return standard && ((value) => standard.validate(value));
}

function exportSchemas({ name, input, output, jsonSchema }: AnyDefinition): { input: JsonObject; output: JsonObject | undefined } {
  const exported = (schema: StandardSchemaV1, side: 'input' | 'output'): JsonObject => {
    try {
      return jsonSchema?.[side] ?? exportJsonSchema(schema, side);
    } catch (thrown) {
      throw new ToolpactError(
        'invalid_schema',
        `tool "${name}": its ${side} cannot be exported as JSON Schema: ${(thrown as Error).message}`,
      );
    }
  };
  const inputSchema = input ? exported(input, 'input') : { type: 'object', properties: {}, additionalProperties: false };
  if (inputSchema.type !== 'object')
    throw new ToolpactError('invalid_schema', `tool "${name}": its input must be the schema of an object, such as z.object({ … })`, {
      tool: name,
    });
  return { input: inputSchema, output: output && exported(output, 'output') };
}

/** The names that AI SDK, Mastra, LangChain, OpenAI Agents, Genkit, ADK and MCP have for the fields of a tool. */
const foreignNames: Readonly<Record<string, keyof AnyDefinition>> = {
  id: 'name',
  inputSchema: 'input',
  parameters: 'input',
  schema: 'input',
  outputSchema: 'output',
  execute: 'run',
  handler: 'run',
  func: 'run',
  function: 'run',
  callback: 'run',
  needsApproval: 'approval',
  requireApproval: 'approval',
  toModelOutput: 'toModel',
  inputExamples: 'examples',
  timeout: 'timeoutMs',
};

/** The options that are `true` are checked in another way below, or can be anything. */
const toolOptions: OptionNames<AnyDefinition> = {
  name: true,
  description: true,
  input: true,
  output: true,
  jsonSchema: 'an object',
  effects: allEffects,
  steps: true,
  timeoutMs: 'a number above 0',
  failures: 'an object',
  onFailure: true,
  toModel: 'a function',
  examples: 'an array',
  idempotency: true,
  reconcile: 'a function',
  retry: true,
  cache: true,
  approval: true,
  preview: 'a function',
  deferAfterMs: 'a number above 0',
  resource: true,
  resourceType: true,
  echoInput: 'a boolean',
  expose: exposeModes,
  classify: ['words', 'structure'],
  maxResultChars: 'a number above 0',
  redact: 'an object',
  run: true,
};

function checkDefinition(definition: AnyDefinition): void {
  const {
    name,
    output,
    onFailure,
    description,
    effects,
    steps,
    idempotency,
    retry,
    cache,
    approval,
    failures = {},
    examples = [],
    run,
  } = definition ?? {};
  const problem = checkToolName(name);
  if (problem !== undefined) throw new ToolpactError('invalid_definition', problem);
  refuseOptions<AnyDefinition>(`tool "${name}"`, definition, toolOptions, foreignNames);
  refuseOptions(`tool "${name}": idempotency`, idempotency, { key: 'a function', ttlMs: 'a number above 0' });
  if (retry !== false) refuseOptions(`tool "${name}": retry`, retry, retryOptions);
  refuseOptions(`tool "${name}": cache`, cache, { ttlMs: 'a number above 0' });
  checkApproval(`tool "${name}"`, approval);
  const wrong = (what: string): never => {
    throw new ToolpactError('invalid_definition', `tool "${name}": ${what}`, { tool: name });
  };
  if (typeof description !== 'string' || description.trim() === '') wrong('it needs a description');
  if (typeof run !== 'function') wrong('it needs a `run` function');
  if (steps !== undefined && (steps !== true || (effects ?? 'writes') !== 'writes'))
    wrong("only a tool with effects: 'writes' can have steps: true");
  if (cache !== undefined && effects !== 'none') wrong("only a tool with effects: 'none' can be cached");
  for (const side of ['input', 'output'] as const) {
    const schema = definition[side];
    if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function')
      wrong(`${side} is not a Standard Schema. ${schemaFix}`);
    for (const [index, example] of examples.entries()) {
      if (side === 'input' || side in example)
        checkExample(schema, example[side], (why) => wrong(`the ${side} of example ${index + 1} breaks its schema: ${why}`));
    }
  }
  // Null stands for no result, whatever the schema of results says.
  if (output && onFailure !== undefined && onFailure !== null && typeof onFailure !== 'function')
    checkExample(output, onFailure, (why) => wrong(`onFailure breaks the output schema: ${why}`));
  for (const [code, kind] of Object.entries(failures)) {
    if (isFailureKind(code)) wrong(`the failure code "${code}" is the name of a kind`);
    if (!isFailureKind(kind)) refuseOption(`tool "${name}"`, `failures.${code}`, Object.keys(catalogue), kind);
  }
}

const schemaFix =
  'Use a schema of zod, ArkType or valibot, such as z.object({ city: z.string() }); for a JSON Schema, fromJsonSchema of @toolpact/openapi.';

/** Checks an example; a schema that can only be checked asynchronously is left to the first call. */
function checkExample(schema: StandardSchemaV1 | undefined, value: unknown, wrong: (why: string) => never): void {
  const result = schema?.['~standard'].validate(value);
  takePromise(result);
  const { issues } = (result ?? {}) as { readonly issues?: readonly Parameters<typeof pathOf>[0][] };
  if (issues !== undefined) {
    const issue = issues[0] ?? { message: 'it was refused' };
    wrong(`${pathText(pathOf(issue), 'value')}: ${issue.message}`);
  }
}

/** Writes the input of a tool's first example, where it is short. */
function exampleTextOf({ examples }: { readonly examples?: readonly { readonly input: unknown }[] }): string | undefined {
  const [first] = examples ?? [];
  const text = first === undefined ? undefined : JSON.stringify(first.input);
  return text !== undefined && text.length <= 200 ? text : undefined;
}
