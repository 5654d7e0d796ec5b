export type { JsonObject } from '../outcome/index.ts';
export type { CallContext, Progress } from './call-context.ts';
export { type ContextSources, contextFromHeaders } from './context-from-headers.ts';
export { toCallContext, toToolContext } from './convert-context.ts';
export { defineResource, type Resource } from './define-resource.ts';
export { lift, lower } from './lower.ts';
export { noTenant } from './no-tenant.ts';
export type { InferInput, InferOutput, StandardIssue, StandardResult, StandardSchemaV1 } from './standard-schema.ts';
export { toJsonSchema } from './to-json-schema.ts';
export {
  createContext,
  createIngestionRunId,
  createRunId,
  type ToolContext,
  type ToolContextInput,
  toolContextSchema,
} from './tool-context.ts';
export type { Effects, RunContext, StepOptions, WaitForOptions } from './tool-contract.ts';
