export type { StandardSchemaV1 } from 'toolpact';
export { fromJsonSchema, type JsonSchemaOptions } from './from-json-schema.ts';
