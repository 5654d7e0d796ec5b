export type { AnswerCheck } from '@toolpact/testing';
export { createRunId } from 'toolpact/internal';
export type { Preset } from '../preset.ts';
export { checks } from './checks.ts';
export { type ContextSources, contextFromHeaders } from './context-from-headers.ts';
export { toCallContext, toToolContext } from './convert-context.ts';
export { preset } from './preset.ts';
export { type StatusDialect, status } from './status.ts';
export { createContext, createIngestionRunId, type ToolContext, type ToolContextInput, toolContextSchema } from './tool-context.ts';
export { ToolErrorType } from './tool-error-type.ts';
export type {
  ToolError,
  ToolErrorDetail,
  ToolErrorMeta,
  ToolOutput,
  ToolResult,
  ToolResultMeta,
} from './tool-output.ts';
