import type { FailureReport } from 'toolpact';
import { toLogRecord } from 'toolpact/internal';
import { type Preset, uncut } from '../preset.ts';
import { flat } from './flat.ts';

/** Keeps `{ success, error, …fields }`: errors in their own words, every failure logged with its arguments and stack. */
export const preset: Preset<typeof flat> = Object.freeze<Preset<typeof flat>>({
  toolbox: {
    ...uncut,
    classify: 'structure',
    report: (record) => console.error(`${record.tool} failed`, record.input, toLogRecord(textOf(record))),
  },
  dialect: flat,
});

/** Returns the words of a failure, and the stacks of its error and of the cause behind it, the first of which usually begins with the words. */
function textOf({ error, failure }: FailureReport): string {
  const stacks = [error?.stack, error?.cause?.stack].filter((stack) => stack !== undefined);
  return [...(stacks[0]?.includes(failure.message) === true ? [] : [failure.message]), ...stacks].join('\n');
}
