export type { Preset } from '../preset.ts';
export { buildErrorResponse, buildSuccessResponse, type CodedMeta, type CodedResponse, type ResponseFacts } from './build-response.ts';
export { type CodedDialect, type CodedEnvelope, coded } from './coded.ts';
export { type CodedToolData, codedToolData } from './coded-tool-data.ts';
export { ErrorCode, type ErrorCodeRow, errorCodes } from './error-codes.ts';
export { type CodedPathOptions, codedPaths } from './paths/coded-paths.ts';
export { codedRequests } from './paths/coded-requests.ts';
export { preset } from './preset.ts';
export { responseTimer } from './response-timer.ts';
