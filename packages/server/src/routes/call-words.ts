import type { JsonValue, ListedCall } from 'toolpact';

/** Readers get so many characters of one value. */
const maxShown = 2_000;

/** Says in a few words how a call ended. */
export function howItEnded({ status, kind, code, effect, lost }: ListedCall): string {
  if (status === 'running' && lost === true) return 'running (its process is gone)';
  if (status !== 'error') return status;
  return `${kind}${code === undefined ? '' : `/${code}`}, effect ${effect}`;
}

/** Writes a time in the unit that reads best. */
export function duration(ms: number): string {
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}

/** Writes a value on one line. */
export function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : cut(JSON.stringify(value));
}

/** Cuts a long text, and says so. */
export function cut(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}… (${text.length - maxShown} more characters)`;
}
