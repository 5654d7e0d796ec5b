export { type OnRestateOptions, onRestate } from './on-restate.ts';
export { type RestateEndpointOptions, restateEndpoint } from './restate-endpoint.ts';
