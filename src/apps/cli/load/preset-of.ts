import { coded, flat, type Preset, status, value } from '../../../parts/presets/index.ts';
import type { Settings } from '../settings/read-settings.ts';

const presets: Readonly<Record<NonNullable<Settings['dialect']>, Preset>> = { flat, coded, 'coded.shipped': coded.shipped, value, status };

/** Gives the options that keep the contract of the dialect that a server is asked to speak. */
export function presetOf({ dialect }: Pick<Settings, 'dialect'>): Preset | undefined {
  return dialect && presets[dialect];
}
