export type { ResourceLease, ResourcePort, ResourceUser } from '../../ports/index.ts';
export { createResources, type Resources, type ResourcesOptions } from './create-resources.ts';
export type { SessionFilter } from './create-session-table.ts';
export type { SessionRequest } from './create-sessions.ts';
export type { SessionInfo } from './session.ts';
