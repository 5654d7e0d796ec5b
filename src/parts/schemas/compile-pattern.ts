import { isExplosive } from './is-explosive.ts';

/** Compiles the pattern of a schema. Throws for one that is no regular expression, and for one that can take forever on some texts. */
export function compilePattern(pattern: string): RegExp {
  const compiled = toRegExp(pattern);
  if (!isExplosive(pattern)) return compiled;
  const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
  throw new TypeError(`the pattern ${JSON.stringify(shown)} can take forever on some texts; write it without repeating a repetition`);
}

function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (thrown) {
    try {
      // Patterns from other languages escape more than Unicode mode allows.
      return new RegExp(pattern);
    } catch {
      throw thrown;
    }
  }
}
