export { fromJsonSchema, type JsonSchemaOptions } from './from-json-schema.ts';
