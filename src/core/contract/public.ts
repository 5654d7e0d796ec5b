export type { JsonObject } from '../outcome/index.ts';
export type { CallContext, CallSession, Progress, SessionPort } from './call-context.ts';
export { type ContextSources, contextFromHeaders, type HeaderSource } from './context-from-headers.ts';
export { toCallContext, toToolContext } from './convert-context.ts';
export { defineResource, type OpenContext, type Resource, type ResourceContract } from './define-resource.ts';
export { lift, lower, type SchemaTarget } from './lower.ts';
export { noTenant } from './no-tenant.ts';
export type { RetryRule } from './retry-rule.ts';
export type { InferInput, InferOutput, ObjectSchema, StandardIssue, StandardResult, StandardSchemaV1 } from './standard-schema.ts';
export { type ExportableTool, toJsonSchema } from './to-json-schema.ts';
export {
  createContext,
  createIngestionRunId,
  createRunId,
  type ToolContext,
  type ToolContextInput,
  type ToolContextParts,
  toolContextSchema,
} from './tool-context.ts';
export type {
  ContextFor,
  DataOf,
  Effects,
  FailureCodes,
  JsonOf,
  Reconciled,
  ResultOf,
  Returned,
  ReturnFor,
  RunContext,
  RunStep,
  StepOptions,
  StepRunContext,
  ToolContract,
  WaitForOptions,
} from './tool-contract.ts';
