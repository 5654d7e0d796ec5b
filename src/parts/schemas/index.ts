export type { StandardSchemaV1 } from '../../core/contract/index.ts';
export { fromJsonSchema, type JsonSchemaOptions } from './from-json-schema.ts';
