export { createResources, type ResourceCounts, type Resources, type ResourcesOptions } from './create-resources.ts';
export type { SessionFilter } from './create-session-table.ts';
export type { CreatedSession, SessionRequest } from './create-sessions.ts';
export type { CloseReport } from './create-values.ts';
export type { SessionInfo, SessionStatus } from './session.ts';
export type { WarmUpStatus } from './warm-up.ts';
