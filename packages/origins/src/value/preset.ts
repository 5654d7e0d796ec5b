import { type Preset, uncut } from '../preset.ts';
import { value } from './value.ts';

/** Keeps `{ success, value, message }` as the tool message that a model reads. */
export const preset: Preset<typeof value> = Object.freeze<Preset<typeof value>>({
  toolbox: uncut,
  adapter: { dialect: value },
  server: { dialect: value },
  telemetry: {},
});
