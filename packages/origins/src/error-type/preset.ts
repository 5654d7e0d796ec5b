import type { Preset } from '../preset.ts';
import { toolErrorType } from './tool-error-type.ts';

/** Keeps the documented `error.type` values on the spans of tool calls. */
export const preset: Preset = Object.freeze<Preset>({
  toolbox: { classify: 'structure' },
  errorType: toolErrorType,
});
