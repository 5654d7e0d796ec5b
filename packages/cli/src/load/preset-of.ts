import { preset as coded } from '@toolpact/origins/coded';
import { preset as flat, type Preset } from '@toolpact/origins/flat';
import { preset as status } from '@toolpact/origins/status';
import { preset as value } from '@toolpact/origins/value';
import type { Settings } from '../settings/read-settings.ts';

const presets = { flat, coded, value, status } as const satisfies Record<string, Preset>;

/** Returns the options that keep the contract of the dialect that a server is asked to speak. */
export function presetOf({ dialect }: Pick<Settings, 'dialect'>): Preset | undefined {
  return dialect && presets[dialect];
}

/**
 * Returns the settings with what keeps the contract of the dialect, where the user sets nothing else: no result is cut, so that there is
 * nothing to read the rest of, and no call is refused because it repeats another one.
 */
export function withPreset(settings: Settings): Settings {
  const preset = presetOf(settings)?.toolbox;
  if (preset === undefined) return settings;
  const { classify = settings.classify, maxResultChars = settings.maxResultChars } = preset;
  const presetSettings = { classify, maxResultChars, spill: false, repeatBreaker: false } satisfies Partial<Settings>;
  const free = Object.entries(presetSettings).filter(([name]) => !settings.setBy.has(name as keyof typeof presetSettings));
  return { ...settings, ...Object.fromEntries(free) };
}
