export type { AdapterAnswer, AdapterRun, AdapterSubject } from './adapters/adapter-subject.ts';
export { checkAdapter } from './adapters/check-adapter.ts';
export { type Check, defineCheck, type Finding, type Level } from './define-check.ts';
export { checkDialect } from './dialects/check-dialect.ts';
export type { FaultPhase, FaultTarget } from './faults/fault-plan.ts';
export { type CrashMoment, CrashPoint, type ToolFault } from './faults/fault-run.ts';
export type { FetchFault } from './faults/faulty-fetch.ts';
export type { MalformedAnswer } from './faults/malformed-answers.ts';
export { withFaults } from './faults/with-faults.ts';
export { diffTools, type ToolChange } from './lock/diff-tools.ts';
export { type LockedTool, lockTools, readLock, type ToolLock } from './lock/lock-tools.ts';
export { type Matched, matchers, type OutcomeMatchers } from './matchers.ts';
export { type Recorder, record } from './recording/record.ts';
export { type Player, type ReplayOptions, replay } from './recording/replay.ts';
export { type CheckServerOptions, checkServer } from './server/check-server.ts';
export { serverCaseTools } from './server/server-cases.ts';
export type { FetchHandler } from './server/server-subject.ts';
export { type CheckStoreOptions, checkStore } from './stores/check-store.ts';
export {
  type CheckToolsOptions,
  checkTools,
  reportOnTools,
  type ToolsReport,
  type ToolVerdicts,
  type Verdict,
} from './tools/check-tools.ts';
export type { ContractName } from './tools/contract-checks.ts';
