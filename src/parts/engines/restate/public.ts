export type { Guard } from '../../../core/ports/index.ts';
export { type OnRestateOptions, onRestate } from './on-restate.ts';
export { type RestateEndpointOptions, type RestateWorker, restateEndpoint } from './restate-endpoint.ts';
export type { RestateMethods } from './restate-methods.ts';
