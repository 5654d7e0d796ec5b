import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { leadToPage } from './lead-to-page.ts';

const answerTo = (accept?: string) => leadToPage({ header: () => accept });

test('a program is redirected by a relative address', () => {
  for (const accept of [undefined, '*/*', 'application/json'])
    expect(answerTo(accept)).toMatchObject({ status: 302, headers: { location: 'inspector/' } });
});

test.each([
  ['/', 'https://example.com/inspector/'],
  ['/tools', 'https://example.com/tools/inspector/'],
  ['/tools/', 'https://example.com/tools/inspector/'],
  ['//other.example', 'https://example.com//other.example/inspector/'],
])('a browser at %s goes to %s, by the only script that may run', (pathname, target) => {
  const { status, headers, body } = answerTo('text/html,application/xhtml+xml');
  const script = /<script>(.+)<\/script>/.exec(String(body))?.[1] ?? '';
  const gone: string[] = [];
  runInNewContext(script, { location: { origin: 'https://example.com', pathname, replace: (url: string) => gone.push(url) } });
  expect([status, gone]).toEqual([200, [target]]);
  expect(headers['content-security-policy']).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
});
