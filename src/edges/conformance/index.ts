export type { AdapterAnswer, AdapterRun, AdapterSubject } from './adapter-subject.ts';
export { checkAdapter } from './check-adapter.ts';
export { checkDialect } from './check-dialect.ts';
export { type CheckStoreOptions, checkStore } from './check-store.ts';
export { type Check, type CheckDefinition, defineCheck, type Finding, type Level, type Problem } from './define-check.ts';
export { type Recorder, record } from './record.ts';
export { type Player, type ReplayOptions, replay } from './replay.ts';
