import type { Effects, JsonObject } from 'toolpact';
import { DocumentProblem } from '../document/document-problem.ts';
import type { ListedOperation } from '../document/list-operations.ts';
import type { ReadDocument } from '../document/read-document.ts';
import type { SchemaBook } from '../document/schema-book.ts';
import type { OpenApiOperation, OpenApiOptions } from '../open-api-options.ts';
import { type ServerUrl, serverUrl } from '../request/server-url.ts';
import { type AnswerPlan, planAnswers } from './plan-answers.ts';
import { planBody } from './plan-body.ts';
import { type InputPlan, planInput } from './plan-input.ts';
import { allowDigits, planParameters } from './plan-parameters.ts';
import type { SecurityPlan, SecuritySchemes } from './plan-security.ts';

/** All that is needed to call one operation. */
export interface OperationPlan extends ServerUrl {
  readonly operation: OpenApiOperation;
  readonly options: OpenApiOptions;
  readonly input: InputPlan;
  readonly inputSchema: JsonObject;
  /** The schema that checks arguments: the same, plus texts for whole numbers that JavaScript would round. */
  readonly checkSchema: JsonObject;
  readonly answers: AnswerPlan;
  readonly security: SecurityPlan;
  readonly effects: Effects;
  /** Notes on parts that were left out of its schemas. */
  readonly notes: readonly string[];
}

/** The facts that all operations of a description share. */
export interface Surroundings {
  readonly document: ReadDocument;
  readonly options: OpenApiOptions;
  readonly security: SecuritySchemes;
  readonly requests: SchemaBook;
  readonly responses: SchemaBook;
}

/** The effects of each method, by its definition in HTTP. */
const effectsByMethod: Readonly<Record<string, Effects>> = {
  GET: 'none',
  HEAD: 'none',
  OPTIONS: 'none',
  PUT: 'idempotent',
  DELETE: 'idempotent',
};

/** Plans how an operation is called. Throws a DocumentProblem where it cannot be. */
export function planOperation({ operation, definition, shared, problem }: ListedOperation, around: Surroundings): OperationPlan {
  if (problem !== undefined) throw new DocumentProblem(problem);
  const { document, options, security, requests, responses } = around;
  const { root } = document;
  const { method, path } = operation;
  if (method === 'TRACE') throw new DocumentProblem('the method TRACE cannot be sent');
  const address = serverUrl(root, shared, definition, options);
  const { preset, idempotencyHeader = 'Idempotency-Key' } = options;
  const rules = { ...(preset !== undefined && { preset }), idempotencyHeader, credentialPlaces: security.places };
  const parameters = planParameters(root, path, shared, definition, requests, rules);
  const body = planBody(root, definition, requests);
  const bodiless = method === 'GET' || method === 'HEAD';
  if (bodiless && body?.required === true) throw new DocumentProblem(`it needs a body, which a ${method} request cannot carry`);
  const sent = bodiless ? undefined : body;
  const input = planInput(parameters, sent);
  const { schema: inputSchema, shortened } = requests.bind(input.schema);
  const exact = parameters.map(allowDigits);
  const isSame = exact.every((parameter, index) => parameter === parameters[index]);
  const checkSchema = isSame ? inputSchema : requests.bind(planInput(exact, sent).schema).schema;
  const answers = planAnswers(root, method, definition, responses);
  const notes = [
    ...(shortened ? ['input schema shortened'] : []),
    ...(answers.shortened ? ['output schema shortened'] : []),
    ...(answers.problem === undefined ? [] : [`output not described: ${answers.problem}`]),
  ];
  return {
    ...address,
    ...{ operation, options, input, inputSchema, checkSchema, answers, notes },
    security: security.planOf(definition),
    effects: effectsByMethod[method] ?? 'writes',
  };
}
