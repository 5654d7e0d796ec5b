export { fromJsonSchema, type JsonSchemaOptions, type JsonSchemaSource } from './from-json-schema.ts';
