export type { AnswerCheck } from '@toolpact/testing';
export type { Preset } from '../preset.ts';
export { checks } from './checks.ts';
export { preset } from './preset.ts';
export { shippedErrorType, toolErrorType } from './tool-error-type.ts';
export { ToolErrorType, ToolExecutionError, type ToolExecutionOptions } from './tool-execution-error.ts';
