export { ToolErrorType, ToolExecutionError } from '../../../toolpact/src/outcome/index.ts';
export { genAi001 as preset, type Preset } from '../presets/presets.ts';
export { shippedErrorType, toolErrorType } from './tool-error-type.ts';
