// All that is public, what authors of checks need, and the list of all checks.
export { type CheckSuite, checkSuites } from './check-suites.ts';
export type { CheckDefinition, Problem } from './define-check.ts';
export * from './public.ts';
export { contractChecks } from './tools/contract-checks.ts';
export type { InputCase, InputSort } from './tools/generate/generate-inputs.ts';
export { defineToolCheck, type ToolCheck, type ToolCheckDefinition, type ToolGroup } from './tools/tool-check.ts';
export { toolChecks, toolGroups } from './tools/tool-checks.ts';
export type { SubjectTool, ToolSubject } from './tools/tool-subject.ts';
export type { Exchange, JudgedSchema, NotRun, ToolTrial, TrialOptions } from './tools/tool-trial.ts';
