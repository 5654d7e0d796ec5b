export type { AnswerCheck } from '@toolpact/testing';
export type { Preset } from '../preset.ts';
export { checks } from './checks.ts';
export { ErrorCode, errorCodes } from './error-code.ts';
export { type FlatDialect, type FlatEnvelope, flat } from './flat.ts';
export { preset } from './preset.ts';
