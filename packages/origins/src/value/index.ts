export { type Preset, value as preset } from '../presets/presets.ts';
export * from './sessions/public.ts';
export { type ValueDialect, type ValueEnvelope, type ValueOptions, value } from './value.ts';
