/** Lists the proofs in the table of a page (docs/proofs.md) that have not run whole since a day. */
export function staleProofs(page: string, since: Date): string[] {
  const rows = page.matchAll(/^\| (`[\w-]+(?: --only \w+)?`) \|[^|]*\|[^|]*\|([^|]*)\|/gm);
  return [...rows].flatMap(([, name, lastRun = '']) => {
    const date = /\d+ [A-Z][a-z]+ \d{4}/.exec(lastRun)?.[0];
    if (date === undefined) return [`${name}: ${lastRun.trim()}`];
    return new Date(`${date} UTC`) < since ? [`${name} ran last on ${date}, before the last release`] : [];
  });
}
