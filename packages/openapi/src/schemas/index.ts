export { fromJsonSchema } from './from-json-schema.ts';
