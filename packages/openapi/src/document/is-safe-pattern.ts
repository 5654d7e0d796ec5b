import { fromJsonSchema } from '../schemas/index.ts';

const known = new Map<string, boolean>();

/** Checks whether a pattern can be checked here. Others are left to the API: some are not of this language, some cannot be checked in bounded time. */
export function isSafePattern(pattern: string): boolean {
  let safe = known.get(pattern);
  if (safe === undefined) {
    safe = compiles(pattern);
    if (known.size > 5_000) known.clear();
    known.set(pattern, safe);
  }
  return safe;
}

function compiles(pattern: string): boolean {
  try {
    fromJsonSchema({ type: 'string', pattern });
    return true;
  } catch {
    return false;
  }
}
