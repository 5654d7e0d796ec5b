export type { Preset } from '../preset.ts';
export { preset } from './preset.ts';
export * from './sessions/public.ts';
export { type ValueDialect, type ValueEnvelope, type ValueOptions, value } from './value.ts';
