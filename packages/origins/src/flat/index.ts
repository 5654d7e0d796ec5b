export { flat as preset, type Preset } from '../presets/presets.ts';
export { type FlatCode, type FlatDialect, type FlatEnvelope, flat } from './flat.ts';
