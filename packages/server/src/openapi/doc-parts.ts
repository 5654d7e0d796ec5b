import { failureRefs } from './failures.ts';
import { answer, body, operation, queryParameter, refused, usualAnswers } from './operation.ts';
import { callParameters, formParameters, keyParameter, pathParameter } from './parameters.ts';

/** The parts from which routes are described in the OpenAPI document. */
export const docParts = {
  operation,
  answer,
  usualAnswers,
  body,
  pathParameter,
  queryParameter,
  /** The headers that belong to every call. */
  callParameters,
  /** The parameters that select the form of an answer. */
  formParameters,
  /** The header that makes repeated calls one call. */
  keyParameter,
  /** The answers with which every request can be refused. */
  refusals: failureRefs(refused),
} as const;

/** The parts from which routes are described in the OpenAPI document. */
export type DocParts = typeof docParts;
