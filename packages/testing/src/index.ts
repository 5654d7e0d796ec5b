// Everything that tests of tools and of stores need. It depends on the library alone.

export type { Guard, Store } from 'toolpact/extend';
export { type CheckCrashesOptions, type CrashReport, type CrashSubject, checkCrashes, reportOnCrashes } from './crashes/check-crashes.ts';
export { type CrashCheck, crashChecks } from './crashes/crash-checks.ts';
export { type Check, type CheckDefinition, defineCheck, type Finding, type Level, type Problem } from './define-check.ts';
export type { ToolFault } from './faults/fault-run.ts';
export type { FetchFault } from './faults/faulty-fetch.ts';
export { withFaults } from './faults/with-faults.ts';
export { diffTools, type ToolChange } from './lock/diff-tools.ts';
export { type LockedTool, lockTools, readLock, type ToolLock } from './lock/lock-tools.ts';
export { matchers, type OutcomeMatchers } from './matchers.ts';
export { record } from './recording/record.ts';
export { replay } from './recording/replay.ts';
export { type CheckStoreOptions, checkStore } from './stores/check-store.ts';
export type { StoreSubject } from './stores/store-check.ts';
export { storeChecks } from './stores/store-checks.ts';
export type { AnswerCheck } from './tools/answer-check.ts';
export { type CheckToolsOptions, checkTools, reportOnTools, type ToolsReport, type Verdict } from './tools/check-tools.ts';
export type { InputCase } from './tools/generate/generate-inputs.ts';
export { defineToolCheck, type ToolCheck, type ToolCheckDefinition, type ToolGroup } from './tools/tool-check.ts';
export { toolChecks, toolGroups } from './tools/tool-checks.ts';
export type { SubjectTool, ToolSubject } from './tools/tool-subject.ts';
export type { Exchange, ToolTrial } from './tools/tool-trial.ts';
