export type { AnyTool, JsonValue, ToolpactEvent } from 'toolpact';
export type { Guard } from 'toolpact/extend';
export type { AdapterAnswer, AdapterRun, AdapterSubject } from '../../../proofs/suites/adapters/adapter-subject.ts';
export { checkAdapter } from '../../../proofs/suites/adapters/check-adapter.ts';
export { checkDialect } from '../../../proofs/suites/dialects/check-dialect.ts';
export { checkEngine } from '../../../proofs/suites/engines/check-engine.ts';
export { type CheckServerOptions, checkServer } from '../../../proofs/suites/server/check-server.ts';
export { serverCaseTools } from '../../../proofs/suites/server/server-cases.ts';
export type { FetchHandler } from '../../../proofs/suites/server/server-subject.ts';
export { type CheckSuite, checkSuites } from './check-suites.ts';
export { type Check, type CheckDefinition, defineCheck, type Finding, type Level, type Problem } from './define-check.ts';
export type { FaultPhase, FaultTarget } from './faults/fault-plan.ts';
export { type CrashMoment, CrashPoint, type ToolFault } from './faults/fault-run.ts';
export type { FetchFault } from './faults/faulty-fetch.ts';
export type { MalformedAnswer } from './faults/malformed-answers.ts';
export { withFaults } from './faults/with-faults.ts';
export { diffTools, type ToolChange } from './lock/diff-tools.ts';
export { type LockedTool, lockTools, readLock, type ToolLock } from './lock/lock-tools.ts';
export { matchers, type OutcomeMatchers } from './matchers.ts';
export { record } from './recording/record.ts';
export { type ReplayOptions, replay } from './recording/replay.ts';
export { type CheckStoreOptions, checkStore } from './stores/check-store.ts';
export {
  type CheckToolsOptions,
  checkTools,
  reportOnTools,
  type ToolsReport,
  type ToolVerdicts,
  type Verdict,
} from './tools/check-tools.ts';
export type { InputCase, InputSort } from './tools/generate/generate-inputs.ts';
export type { ToolCheck, ToolGroup } from './tools/tool-check.ts';
export { toolChecks, toolGroups } from './tools/tool-checks.ts';
export type { SubjectTool, ToolSubject } from './tools/tool-subject.ts';
export type { Exchange, JudgedSchema, NotRun, ToolTrial, TrialOptions } from './tools/tool-trial.ts';
