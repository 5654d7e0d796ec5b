import { CliError } from '../cli-error.ts';

const least = [22, 18] as const;

/** Says that this Node is too old; undefined for one that is not. Otherwise Node would complain about a flag that the user did not type. */
export function explainOldNode(version: string): CliError | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > least[0] || (major === least[0] && minor >= least[1])) return undefined;
  return new CliError(`toolpact needs Node ${least.join('.')} or newer; this is ${version}.`, {
    fix: 'Install Node 24 from https://nodejs.org, then run the command again.',
  });
}
