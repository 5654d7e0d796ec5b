export { cleanText, isCleanText } from './clean-text.ts';
export { convertToJson, NotJson, takePromises } from './convert-to-json.ts';
export { copyInput } from './copy-input.ts';
export { cutJson } from './cut-json.ts';
export { isObject, isPlain, isRecord, isThenable, peek } from './is-record.ts';
export type { JsonObject, JsonValue } from './json-value.ts';
export { measureJson } from './measure-json.ts';
export { repairJson } from './repair-json.ts';
