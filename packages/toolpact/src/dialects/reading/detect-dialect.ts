import { type DialectName, dialects } from '../dialects.ts';

const all = Object.entries(dialects) as [DialectName, (typeof dialects)[DialectName]][];

/** Names the one dialect whose shape a value has; undefined where there is none, or more than one. Never throws. */
export function detectDialect(json: unknown): DialectName | undefined {
  try {
    const matching = all.filter(([, dialect]) => dialect.detect(json));
    return matching.length === 1 ? matching[0]?.[0] : undefined;
  } catch {
    return undefined;
  }
}
