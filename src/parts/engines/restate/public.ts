export { onRestate } from './on-restate.ts';
export { restateEndpoint } from './restate-endpoint.ts';
