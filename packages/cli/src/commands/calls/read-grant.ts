import type { GrantRequest, GrantRule, JsonValue } from 'toolpact';
import { usageError } from '../../cli-error.ts';
import { plainLine } from '../../print/terminal.ts';
import type { Given } from '../command.ts';

/** Reads which further calls a person allows, from `--grant`, `--let`, `--for` and `--uses`. */
export function readGrantRequest(flags: Given['flags']): GrantRequest | undefined {
  const [whom, time, uses] = ['grant', 'for', 'uses'].map((name) => flags.get(name) as string | undefined);
  const rules = (flags.get('let') as readonly string[] | undefined) ?? [];
  if (whom === undefined) {
    if (rules.length > 0 || time !== undefined || uses !== undefined) throw usageError('--let, --for and --uses go with --grant.');
    return undefined;
  }
  if (whom !== 'run' && whom !== 'session' && whom !== 'user')
    throw usageError(`--grant must be run, session or user, not ${plainLine(whom)}.`);
  return {
    for: whom,
    ...(rules.length > 0 && { input: Object.fromEntries(rules.map(readRule)) }),
    ...(time !== undefined && { expiresMs: readSpan(time) }),
    ...(uses !== undefined && { uses: Number(uses) }),
  };
}

function readRule(text: string): readonly [name: string, rule: GrantRule] {
  const [, name, words] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || words === undefined)
    throw usageError(`--let must be <argument>=<rule>, not ${plainLine(text)}.`, 'Rules: *, ..100, 10..100, 10.., A-1,A-2.');
  if (words === '*') return [name, 'any'];
  const [, min, max] = /^(-?[\d.]*?)\.\.(-?[\d.]*)$/.exec(words) ?? [];
  if (min !== undefined && max !== undefined && min + max !== '')
    return [name, { ...(min !== '' && { min: Number(min) }), ...(max !== '' && { max: Number(max) }) }];
  return [name, { oneOf: words.split(',').map(toValue) }];
}

/** Reads JSON; what is none is text. */
function toValue(word: string): JsonValue {
  try {
    return JSON.parse(word) as JsonValue;
  } catch {
    return word;
  }
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readSpan(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw usageError(`--for must be a span of time such as 30m, 2h or 1d, not ${plainLine(text)}.`);
  return Number(count) * (units[unit] ?? 0);
}
