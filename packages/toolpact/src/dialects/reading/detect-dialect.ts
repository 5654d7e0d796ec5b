import type { Dialect } from '../dialect.ts';
import { dialects } from '../dialects.ts';

const own = Object.values(dialects);

/** Finds the one dialect whose shape a value has, by default among the library's own; undefined where there is none, or more than one. Never throws. */
export function detectDialect<TDialect extends Dialect = Dialect>(
  json: unknown,
  among: readonly TDialect[] = own as readonly Dialect[] as readonly TDialect[],
): TDialect | undefined {
  try {
    const matching = among.filter((dialect) => dialect.detect(json));
    return matching.length === 1 ? matching[0] : undefined;
  } catch {
    return undefined;
  }
}
