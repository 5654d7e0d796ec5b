export type { Guard } from 'toolpact/extend';
export { type OnRestateOptions, onRestate } from './on-restate.ts';
export { type RestateEndpointOptions, type RestateWorker, restateEndpoint } from './restate-endpoint.ts';
export type { NodeHandler } from './restate-sdk.ts';
