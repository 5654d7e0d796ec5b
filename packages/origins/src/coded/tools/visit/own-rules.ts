/** As much of a robots.txt as RFC 9309 asks to be read. */
const maxChars = 512_000;
/** Each rule is compared with every address, and each star costs a walk along it, on everybody's time. */
const maxRules = 10_000;
const maxStars = 5_000;

/**
 * Takes out of a robots.txt the rules that count for one visitor: those under its own name, else those for all. Undefined where there are
 * too many rules: comparing with them would block the process for too long.
 */
export function ownRules(text: string, userAgent: string): string | undefined {
  const own = toName(userAgent);
  const rules = new Map<string, string[]>();
  const names = new Set<string>();
  let isListing = false;
  for (const line of text.slice(0, maxChars).split(/\r\n?|\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:([^#]*)/.exec(line) ?? [];
    const kind = field.toLowerCase();
    if (kind === 'user-agent') {
      if (isListing) names.clear();
      isListing = false;
      const name = toName(value);
      if (name !== own && name !== '*') continue;
      names.add(name);
      if (!rules.has(name)) rules.set(name, []);
    } else if (kind === 'allow' || kind === 'disallow') {
      isListing = true;
      for (const name of names) rules.get(name)?.push(`${kind}:${value}`);
    }
  }
  const found = rules.get(own) ?? rules.get('*') ?? [];
  const kept = found.join('\n');
  return found.length > maxRules || kept.split('*').length > maxStars ? undefined : kept;
}

/** A name counts without its version and in any case. */
function toName(userAgent: string): string {
  return (userAgent.split('/')[0] ?? '').trim().toLowerCase();
}
