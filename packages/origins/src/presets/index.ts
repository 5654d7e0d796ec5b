export { coded, flat, genAi001, type Preset, status, value } from './presets.ts';
