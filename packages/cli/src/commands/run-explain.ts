import type { ToolCheck } from '@toolpact/testing';
import { usageError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Paint } from '../print/terminal.ts';
import { didYouMean } from '../settings/did-you-mean.ts';
import { type CheckSuite, checkSuites } from './check-suites.ts';
import type { Given } from './command.ts';

/** Everything known about a check. */
type Explained = Pick<ToolCheck, 'id' | 'level' | 'requirement' | 'why' | 'example'> &
  Partial<Pick<ToolCheck, 'group' | 'fix'>> & { readonly suite: CheckSuite['name'] };

/** Explains what a check wants, why, and how to keep it; without an id, or for a suite, which checks there are. */
export async function runExplain({ words: [asked], flags, terminal }: Given): Promise<number> {
  const all = checkSuites.flatMap(explainSuite);
  const listed = asked === undefined ? all : all.filter(({ suite }) => suite === asked);
  const explained = listed.length > 0 ? listed : find(all, asked ?? '');
  const text =
    flags.get('json') === true
      ? JSON.stringify(explained, null, 2)
      : Array.isArray(explained)
        ? listText(explained, terminal.outPaint)
        : checkText(explained as Explained, terminal.outPaint);
  await terminal.out(`${text}\n`);
  return exitCodes.done;
}

function explainSuite({ name, why, example, checks }: CheckSuite): Explained[] {
  return checks.map(({ id, level, requirement, group, why: reason, fix, example: code }) => {
    const facts = { id, suite: name, ...(group !== undefined && { group }), level, requirement };
    if (reason === undefined) return { ...facts, why, example };
    return { ...facts, why: reason, ...(fix !== undefined && { fix }), ...(code !== undefined && { example: code }) };
  });
}

function find(all: readonly Explained[], asked: string): Explained {
  const byName = (name: string): Explained | undefined =>
    all.find(({ id }) => id === name) ?? all.find(({ id, suite }) => id === `${suite}/${name}`);
  const check = byName(asked);
  if (check !== undefined) return check;
  const names = all.flatMap(({ id, suite }) => [id, id.slice(suite.length + 1)]);
  const near = didYouMean(asked, names, (name) => byName(name)?.id ?? name);
  throw usageError(`There is no check "${asked}".${near}`, 'toolpact explain lists all.');
}

function listText(checks: readonly Explained[], paint: Paint): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return checks
    .map(({ id, level, requirement }) => `${paint('strong', id.padEnd(width))}  ${paint('dim', level.padEnd(6))}  ${requirement}`)
    .join('\n');
}

function checkText({ id, suite, level, group, requirement, why, fix, example }: Explained, paint: Paint): string {
  const subject = suite === 'tools' || suite === 'crashes' ? 'tool' : suite;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['requires', requirement],
    ['why', why],
    ['fix', fix],
    ['example', example],
    ['weight', level === 'must' ? `must: a ${subject} that breaks it breaks the contract` : 'should: advice'],
    ['only this', suite === 'tools' ? `toolpact check --only ${id}` : undefined],
    ['try it', suite === 'crashes' ? 'toolpact check --crash' : undefined],
  ];
  return [
    `${paint('strong', id)}  ${paint('dim', group ?? suite)}`,
    '',
    ...rows.flatMap(([name, text]) => (text === undefined ? [] : [`${paint('strong', name.padEnd(9))}  ${text}`])),
  ].join('\n');
}
