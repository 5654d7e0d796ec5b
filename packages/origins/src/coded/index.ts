export type { Preset } from '../preset.ts';
export { buildErrorResponse, buildSuccessResponse, type CodedMeta, type CodedResponse, type ResponseFacts } from './build-response.ts';
export { type CodedDialect, type CodedEnvelope, coded } from './coded.ts';
export { type CodedToolData, codedToolData } from './coded-tool-data.ts';
export { ErrorCode, type ErrorCodeRow, errorCodes } from './error-codes.ts';
export { codedRoutes } from './paths/coded-routes.ts';
export { preset } from './preset.ts';
export { responseTimer } from './response-timer.ts';
