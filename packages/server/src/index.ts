// All that is public, and the proxy of the inspector for the command line.
export { createInspectorProxy } from './inspector/create-inspector-proxy.ts';
export * from './public.ts';
