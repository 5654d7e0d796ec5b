import { type Preset, uncut } from '../preset.ts';
import { status } from './status.ts';

/** Keeps the union of `status: 'ok'` and `status: 'error'`, and calls on a server that belong to a tenant. */
export const preset: Preset<typeof status> = Object.freeze<Preset<typeof status>>({
  toolbox: { ...uncut, classify: 'structure' },
  dialect: status,
  server: { tenant: 'required' },
});
