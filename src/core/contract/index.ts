export type { CallContext, Progress } from './call-context.ts';
export { explainIssues, typeName } from './explain-issues.ts';
export { exportJsonSchema } from './json-schema.ts';
export { outcomeSchema } from './outcome-schema.ts';
export type { InferInput, InferOutput, StandardIssue, StandardResult, StandardSchemaV1 } from './standard-schema.ts';
export { type ExportableTool, type ToolSchemas, toJsonSchema } from './to-json-schema.ts';
export type { DataOf, Effects, FailureCodes, JsonOf, Returned, RunContext, ToolContract } from './tool-contract.ts';
export { checkToolName, rankNames, toNameKey, toProviderName } from './tool-name.ts';
