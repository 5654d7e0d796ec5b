export type { CallContext, CallSession, Progress, SessionPort } from './call-context.ts';
export { defineResource, type Resource, type ResourceContract } from './define-resource.ts';
export type { RetryRule } from './retry-rule.ts';
export type { InferInput, InferOutput, ObjectSchema, StandardIssue, StandardResult, StandardSchemaV1 } from './standard-schema.ts';
export type {
  ApprovalAsk,
  ApprovalRules,
  Effects,
  FailureCodes,
  Reconciled,
  RunContext,
  RunStep,
  StepOptions,
  StepRunContext,
  ToolContract,
  WaitForOptions,
} from './tool-contract.ts';
