// All that is public, what authors of checks need, and the list of all checks.

export type { AdapterAnswer, AdapterRun, AdapterSubject } from './adapters/adapter-subject.ts';
export { type CheckSuite, checkSuites } from './check-suites.ts';
export type { CheckDefinition, Level, Problem } from './define-check.ts';
export type { FaultPhase, FaultTarget } from './faults/fault-plan.ts';
export type { CrashMoment } from './faults/fault-run.ts';
export type { MalformedAnswer } from './faults/malformed-answers.ts';
export type { LockedTool } from './lock/lock-tools.ts';
export * from './public.ts';
export type { FetchHandler } from './server/server-subject.ts';
export type { ToolVerdicts, Verdict } from './tools/check-tools.ts';
export type { ContractName } from './tools/contract-checks.ts';
export { contractChecks } from './tools/contract-checks.ts';
export type { InputCase, InputSort } from './tools/generate/generate-inputs.ts';
export { defineToolCheck, type ToolCheck, type ToolCheckDefinition, type ToolGroup } from './tools/tool-check.ts';
export { toolChecks, toolGroups } from './tools/tool-checks.ts';
export type { SubjectTool, ToolSubject } from './tools/tool-subject.ts';
export type { Exchange, JudgedSchema, NotRun, ToolTrial, TrialOptions } from './tools/tool-trial.ts';
