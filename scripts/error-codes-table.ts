import { errorCodes } from '@toolpact/origins/coded';

/** Writes the table of the seventeen numbers of the coded dialect: meaning, scenario and advice. */
export function errorCodesTable(): string {
  const rows = Object.entries(errorCodes).map(([name, { number, kind, meaning, scenario, advice }]) => {
    const reads = kind === 'ok' || kind === 'partial' ? `an outcome that is \`${kind}\`` : `[\`${kind}\`](failures.md#${kind})`;
    return `| ${number} | \`${name}\` | ${meaning} | ${scenario} | ${advice} | ${reads} |`;
  });
  return `| number | name | meaning | scenario | advice | reads as |\n|---|---|---|---|---|---|\n${rows.join('\n')}`;
}
