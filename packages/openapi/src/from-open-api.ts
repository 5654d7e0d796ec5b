import {
  defineTool,
  fail,
  type OkReply,
  ok,
  type RunContext,
  type RunStep,
  type StandardSchemaV1,
  type StepRunContext,
  type Tool,
  type ToolContract,
} from 'toolpact';
import { cutText, isObject, isReply, refuseOptions } from 'toolpact/internal';
import { assertAnswered, readAnswer } from './answer/read-answer.ts';
import { asText, type JsonMap } from './document/document-problem.ts';
import { lazySchema } from './document/lazy-schema.ts';
import { type ListedOperation, listOperations } from './document/list-operations.ts';
import { readDocument } from './document/read-document.ts';
import { createSchemaBook } from './document/schema-book.ts';
import { selectOperations } from './document/select-operations.ts';
import type { OpenApiOperation, OpenApiOptions, OpenApiOverride } from './open-api-options.ts';
import { type OperationPlan, planOperation, type Surroundings } from './plan/operation-plan.ts';
import { readSecurity } from './plan/plan-security.ts';
import { buildRequest } from './request/build-request.ts';
import { gatherCredentials } from './request/gather-credentials.ts';
import { type Answer, sendRequest } from './request/send-request.ts';

/** A tool that calls one operation of an API. */
type OpenApiTool = Tool<string, Record<string, unknown>, unknown, string, unknown>;

/** The tools that were made from a description. */
export interface OpenApiTools {
  readonly tools: readonly OpenApiTool[];
  /** The operation behind each tool, in the same order. */
  readonly operations: readonly OpenApiOperation[];
  /** The operations that cannot become tools, and why. */
  readonly skipped: readonly { readonly operation: string; readonly why: string }[];
  /** Notes on parts that were left out of the schemas of working tools. */
  readonly notes: readonly { readonly tool: string; readonly note: string }[];
}

/**
 * Turns an OpenAPI 3.0 or 3.1 or a Swagger 2.0 description (an object, or its JSON or YAML text) into tools, one for each operation. An
 * operation that cannot become one is reported in `skipped` and costs none of the others; only what is no such description throws.
 *
 * @example
 * const { tools } = fromOpenApi(petstore, { auth: { api_key: process.env.PETSTORE_KEY }, include: ['pet'] });
 * const toolbox = createToolbox(tools);
 */
export function fromOpenApi(document: object | string, options: OpenApiOptions = {}): OpenApiTools {
  refuseOptions<OpenApiOptions>('fromOpenApi', options, {
    auth: true,
    include: true,
    baseUrl: true,
    source: true,
    servers: true,
    serverVariables: true,
    headers: true,
    preset: true,
    prefix: true,
    fetch: true,
    skipDeprecated: true,
    idempotencyHeader: true,
    responses: true,
    override: true,
    timeoutMs: true,
    maxResponseBytes: true,
    maxSchemaChars: true,
  });
  const read = readDocument(document);
  const maxChars = options.maxSchemaChars ?? 30_000;
  const listed = listOperations(read.root, options.prefix);
  const around: Surroundings = {
    document: read,
    options,
    security: readSecurity(
      read.root,
      listed.map(({ definition }) => definition),
      options.auth ?? {},
    ),
    requests: createSchemaBook(read, 'request', maxChars),
    responses: createSchemaBook(read, 'response', maxChars),
  };
  const isWanted = selectOperations(options.include);
  const made = {
    tools: [] as OpenApiTool[],
    operations: [] as OpenApiOperation[],
    skipped: [] as { operation: string; why: string }[],
    notes: [] as { tool: string; note: string }[],
  };
  for (const item of listed) {
    const { operation } = item;
    if (!isWanted(operation)) continue;
    const skip = (why: string) => made.skipped.push({ operation: `${operation.method} ${operation.path}`, why });
    if (operation.deprecated && options.skipDeprecated === true) {
      skip('it is deprecated');
      continue;
    }
    try {
      const plan = planOperation(item, around);
      const tool = toTool(plan, item);
      made.tools.push(tool);
      made.operations.push({ ...operation, name: tool.name });
      made.notes.push(...plan.notes.map((note) => ({ tool: tool.name, note })));
    } catch (thrown) {
      // A mistake in `override` is thrown; a mistake in the description skips this operation only.
      if (thrown instanceof OverrideMistake) throw thrown.cause;
      skip(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }
  return made;
}

/** Overrides of the application for a tool. Its functions may type the arguments more precisely than a description can. */
type OverrideOfInput = Pick<ToolContract<string, StandardSchemaV1<Input, Input>, unknown, never, unknown>, keyof OpenApiOverride>;
type Input = Record<string, unknown>;

/** A mistake of the application, not of the description. */
class OverrideMistake extends Error {}

function toTool(planned: OperationPlan, { definition }: ListedOperation): OpenApiTool {
  const { operation, options, answers } = planned;
  const own = (options.override?.(operation) ?? {}) as OverrideOfInput;
  const plan = { ...planned, effects: own.effects ?? planned.effects };
  const { auth = {}, fetch = globalThis.fetch, timeoutMs } = options;
  const input = lazySchema<Record<string, unknown>>(plan.inputSchema, plan.checkSchema);
  const described = answers.output === undefined ? undefined : lazySchema<unknown>(answers.output);
  const example = fittingExample(input, plan.input.example);
  const contract = {
    name: operation.name,
    description: descriptionOf(operation, definition),
    input,
    effects: plan.effects,
    failures: answers.failures,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(described !== undefined && options.responses !== 'lenient' && { output: described }),
    ...(example !== undefined && { examples: [{ input: example }] }),
  };
  try {
    return defineTool({
      ...contract,
      ...own,
      ...(plan.effects === 'writes' && { steps: true }),
      async run(given: Record<string, unknown>, context: RunContext & Partial<StepRunContext>) {
        const credentials = await gatherCredentials(plan.security, auth, context);
        const request = buildRequest(plan, given, credentials, context);
        const send = async () => assertAnswered(plan, await sendRequest(fetch, request, context.signal), request.secrets);
        const read = (answer: Answer) => readAnswer(plan, answer, described, request.secrets);
        return context.step === undefined ? read(await send()) : sendOnce(context.step, send, read);
      },
    });
  } catch (thrown) {
    throw Object.keys(own).length === 0 ? thrown : new OverrideMistake('', { cause: thrown });
  }
}

interface StepAnswer {
  readonly data?: unknown;
  readonly warnings?: readonly string[] | undefined;
  readonly isBroken?: true;
}

/**
 * Sends a request that changes something as a step. The result of a step is remembered, so it is data and not a response. The API has done what was
 * asked, even if its answer is wrong: that is reported after the step.
 */
async function sendOnce(step: RunStep, send: () => Promise<Answer>, read: (answer: Answer) => Promise<unknown>): Promise<unknown> {
  let problem: unknown;
  const { data, warnings, isBroken } = await step('send', async (): Promise<StepAnswer> => {
    const answer = await send();
    try {
      const found = await read(answer);
      const reply = isObject(found) && isReply(found) ? (found as OkReply<unknown>) : undefined;
      return reply === undefined ? { data: found } : { data: reply.data, warnings: reply.options.warnings };
    } catch (thrown) {
      problem = thrown;
      return { isBroken: true };
    }
  });
  if (isBroken) throw problem ?? fail('bad_response', "The API's answer could not be read.");
  return warnings === undefined ? data : ok(data, { warnings });
}

/** Returns the description's example if it fits its own schema, which many do not. */
function fittingExample(input: StandardSchemaV1, example: JsonMap | undefined): JsonMap | undefined {
  if (example === undefined) return undefined;
  const result = input['~standard'].validate(example);
  return result instanceof Promise || result.issues !== undefined ? undefined : example;
}

/** The longest description that every provider takes. */
const longest = 1024;

function descriptionOf({ method, path, summary, deprecated }: OpenApiOperation, { description }: JsonMap): string {
  const more = asText(description)?.trim();
  const first = summary?.trim() ?? '';
  const said =
    more === undefined || more === first
      ? first
      : first === '' || more.startsWith(first)
        ? more
        : `${first}${/[.!?]$/.test(first) ? '' : '.'}\n${more}`;
  const text = `${deprecated ? 'Deprecated. ' : ''}${said === '' ? `${method} ${path}` : said}`;
  return cutText(text, longest);
}
