// What the other rings may use: all that is public, and what only they need.
export type { CallSession, SessionPort } from './call-context.ts';
export type { HeaderSource } from './context-from-headers.ts';
export type { OpenContext, ResourceContract } from './define-resource.ts';
export { explainIssues, pathOf, typeName, withArticle, wrongType } from './explain-issues.ts';
export { findMisfit, locateMisfit } from './find-misfit.ts';
export { exportJsonSchema } from './json-schema.ts';
export type { SchemaTarget } from './lower.ts';
export * from './public.ts';
export { redirectReferences } from './redirect-references.ts';
export { sampleText } from './sample-text.ts';
export type { ObjectSchema } from './standard-schema.ts';
export type { ExportableTool } from './to-json-schema.ts';
export type { ToolContextParts } from './tool-context.ts';
export type {
  ContextFor,
  DataOf,
  FailureCodes,
  JsonOf,
  Reconciled,
  ResultOf,
  RetryRule,
  Returned,
  ReturnFor,
  RunStep,
  StepRunContext,
  ToolContract,
} from './tool-contract.ts';
export { checkToolName, toNameKey, toProviderName } from './tool-name.ts';
export { toWaitMs, waitForResult } from './wait-for-result.ts';
