import { toLogRecord } from 'toolpact/internal';
import { type Preset, uncut } from '../preset.ts';
import { flat } from './flat.ts';

/** Keeps `{ success, error, …fields }`: errors in their own words, every failure logged with its arguments and stack. */
export const preset: Preset<typeof flat> = Object.freeze<Preset<typeof flat>>({
  toolbox: {
    ...uncut,
    classify: 'structure',
    report: ({ tool, input, error, failure }) =>
      console.error(`${tool} failed`, input, toLogRecord(error?.stack ?? error?.message ?? failure.message)),
  },
  adapter: { dialect: flat },
  server: { dialect: flat },
  telemetry: {},
});
