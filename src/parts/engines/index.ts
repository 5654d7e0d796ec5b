// All that is public, and what other rings need.
export * from './restate/public.ts';
export type { RestateWorker } from './restate/restate-endpoint.ts';
export type { RestateMethods } from './restate/restate-methods.ts';
export type { NodeHandler } from './restate/restate-sdk.ts';
export { type Restate, registerWorker, startRestate, unusedPort } from './restate/start-restate.ts';
