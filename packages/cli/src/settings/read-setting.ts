import { cutText } from 'toolpact/internal';
import { usageError } from '../cli-error.ts';
import { type Setting, type SettingName, settingOf } from './settings.ts';

/** A value of a setting, checked. */
export type Value = string | number | boolean | readonly string[];

/** Reads what was written for a setting: text from a flag or variable, or any value from a configuration file. `where` names the place in the error. */
export function readSetting(name: SettingName, written: unknown, where: string): Value {
  const setting = settingOf(name);
  const value = readers[setting.kind](written, setting);
  if (value !== undefined) return value;
  const shown = setting.secret === true ? '' : `, not ${show(written)}`;
  throw usageError(`${where} must be ${expected(setting)}${shown}.`);
}

const readers: Readonly<Record<Setting['kind'], (written: unknown, setting: Setting) => Value | undefined>> = {
  text: (written) => (typeof written === 'string' && written.trim() !== '' ? written : undefined),
  list: (written) => {
    const items = typeof written === 'string' ? written.split(',').map((item) => item.trim()) : written;
    return Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === 'string' && item !== '') ? items : undefined;
  },
  count: (written, { least = 0, most = Number.MAX_SAFE_INTEGER }) => {
    const count = typeof written === 'string' && /^\d[\d_]*$/.test(written) ? Number(written.replaceAll('_', '')) : written;
    return Number.isSafeInteger(count) && Number(count) >= least && Number(count) <= most ? Number(count) : undefined;
  },
  switch: (written) => (typeof written === 'boolean' ? written : typeof written === 'string' ? words[written.toLowerCase()] : undefined),
  choice: (written, { choices = [] }) => (typeof written === 'string' && choices.includes(written) ? written : undefined),
};

const words: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  1: true,
  false: false,
  off: false,
  no: false,
  0: false,
};

function expected({ kind, choices = [], least = 0, most }: Setting): string {
  switch (kind) {
    case 'text':
      return 'a text that is not empty';
    case 'list':
      return 'one or more texts, separated by commas';
    case 'count':
      return most === undefined ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`;
    case 'switch':
      return 'true or false';
    case 'choice':
      return `one of ${choices.join(', ')}`;
  }
}

function show(written: unknown): string {
  const text = typeof written === 'function' ? 'a function' : (JSON.stringify(written) ?? String(written));
  return cutText(text, 80);
}
