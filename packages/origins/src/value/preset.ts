import { type Preset, uncut } from '../preset.ts';
import { value } from './value.ts';

/** Keeps `{ success, value, message }` as the tool message that a model reads, and corrects nothing that a model sends. */
export const preset: Preset<typeof value> = Object.freeze<Preset<typeof value>>({
  toolbox: { ...uncut, repair: false },
  dialect: value,
});
