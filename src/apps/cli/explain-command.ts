import { type ToolCheck, toolChecks } from '../../edges/conformance/index.ts';
import { usageError } from './cli-error.ts';
import type { Given } from './command.ts';
import { didYouMean } from './did-you-mean.ts';
import { exitCodes } from './exit-codes.ts';
import type { Paint } from './terminal.ts';

/** Tells what a check wants, why, and how to keep it; without an id, which checks there are. */
export async function runExplain({ words: [asked], flags, terminal }: Given): Promise<number> {
  const found = asked === undefined ? toolChecks : [find(asked)];
  const text =
    flags.get('json') === true
      ? JSON.stringify(asked === undefined ? found.map(toData) : toData(found[0] as ToolCheck), null, 2)
      : asked === undefined
        ? listText(found, terminal.outPaint)
        : checkText(found[0] as ToolCheck, terminal.outPaint);
  await terminal.out(`${text}\n`);
  return exitCodes.done;
}

function find(asked: string): ToolCheck {
  const found = toolChecks.find(({ id }) => id === asked || id === `tools/${asked}`);
  if (found !== undefined) return found;
  throw usageError(
    `There is no check "${asked}".${didYouMean(
      asked,
      toolChecks.map(({ id }) => id),
    )}`,
    'toolpact explain lists all.',
  );
}

function listText(checks: readonly ToolCheck[], paint: Paint): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return checks
    .map(({ id, level, requirement }) => `${paint('strong', id.padEnd(width))}  ${paint('dim', level.padEnd(6))}  ${requirement}`)
    .join('\n');
}

function checkText({ id, level, group, requirement, why, fix, example }: ToolCheck, paint: Paint): string {
  const rows = [
    ['wants', requirement],
    ['why', why],
    ['fix', fix],
    ...(example === undefined ? [] : [['example', example]]),
    ['weight', level === 'must' ? 'must: a tool that breaks it does not follow the contract' : 'should: it works, but could be better'],
    ['only this', `toolpact check --only ${id}`],
  ] as const;
  return [
    `${paint('strong', id)}  ${paint('dim', group)}`,
    '',
    ...rows.map(([name = '', text = '']) => `${paint('strong', name.padEnd(9))}  ${text}`),
  ].join('\n');
}

function toData({ id, group, level, requirement, why, fix, example }: ToolCheck): object {
  return { id, group, level, requirement, why, fix, ...(example !== undefined && { example }) };
}
