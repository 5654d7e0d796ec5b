export { fromJsonSchema, type JsonSchemaSource } from './from-json-schema.ts';
