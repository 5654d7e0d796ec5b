import { expect, test } from 'vitest';
import { createRobotsCheck } from './robots-rules.ts';

test('rules are kept as long as there is room for their text, the latest first', async () => {
  const asked: string[] = [];
  const rules = `User-agent: *\n${'Disallow: /some/long/path/that/nobody/asks/for\n'.repeat(9_000)}Disallow: /closed\n`;
  const check = createRobotsCheck({
    userAgent: 'reader',
    now: () => 0,
    fetch: async (url) => {
      asked.push(url);
      return { url, status: 200, headers: {}, body: new TextEncoder().encode(rules) };
    },
  });
  const visit = (site: number, path = '/open'): Promise<void> =>
    check(new URL(`https://s${site}.example${path}`), new AbortController().signal);
  for (const site of [1, 2, 3]) await visit(site);
  await expect(visit(3, '/closed')).rejects.toThrow('asks not to');
  await visit(2);
  expect(asked).toHaveLength(3);
  // The rules of three such sites are too many: the first was forgotten.
  await visit(1);
  expect(asked).toHaveLength(4);
});
