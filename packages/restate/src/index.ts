// All that is public, and what other rings need.
export * from './public.ts';
export type { RestateWorker } from './restate-endpoint.ts';
export type { RestateMethods } from './restate-methods.ts';
export type { NodeHandler } from './restate-sdk.ts';
export { type Restate, registerWorker, startRestate, unusedPort } from './start-restate.ts';
