import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { processorMs } from '../../../../../../proofs/fixtures/processor-time.ts';
import { completePage } from './complete-page.ts';
import { extractArticle } from './extract-article.ts';
import { extractInThread } from './extract-in-thread.ts';

const libraries = { parseHTML, Readability } as unknown as Parameters<typeof extractArticle>[1];
const read = (html: string) => [...extractArticle(html, libraries)].at(-1);
const long = 'The museum opens at ten in the morning, every day except Monday, and closes at five, in summer at six. '.repeat(3).trim();

test.each([
  ['a whole page', `<!doctype html><html lang="en"><head><title>T</title></head><body><p>${long}</p></body></html>`, 'T', long],
  ['a page without html', `<!doctype html><head><title>T</title></head><body><p>${long}</p></body>`, 'T', long],
  ['a page without body', `<!doctype html><html><head><title>T</title></head><p>${long}</p></html>`, 'T', long],
  ['a page without any of it', `<!doctype html><title>T</title><p>${long}`, 'T', long],
  ['a fragment', `<p>${long}</p>`, '', long],
  ['a short page', '<html><body><p>Short.</p></body></html>', '', 'Short.'],
  ['nothing but text', 'only words', '', 'only words'],
  ['nothing', '', '', ''],
  ['a page whose article is hidden in navigation', `<body><nav>Menu</nav><main><p>${long}</p></main></body>`, '', long],
])('%s is read', (_, html, title, text) => {
  expect(read(html)).toEqual({ title, text });
});

test('a title is one line, and no longer than a title', () => {
  const head = `<title> A\n title </title>`;
  expect(read(`<html><head>${head}</head><body><p>${long}</p></body></html>`)?.title).toBe('A title');
  const endless = read(`<html><head><title>${'\u{1f600}'.repeat(1_000)}</title></head><body><p>${long}</p></body></html>`);
  expect(endless).toEqual({ title: '\u{1f600}'.repeat(150), text: long });
  expect([...extractArticle(`<title>x${'\u{1f600}'.repeat(1_000)}</title>Short.`, libraries)][0]?.title.isWellFormed()).toBe(true);
});

test.each([
  ['paragraphs stand apart', '<p>One.</p><p>Two.</p>', 'One.\n\nTwo.'],
  ['words in a row stay in a row', '<p>One <b>bold</b>, <a href="/x">linked</a><span>word</span>.</p>', 'One bold, linkedword.'],
  ['a line break is one', 'a<br>b<br/>c', 'a\nb\nc'],
  ['lists are marked', '<ul><li>one</li><li>two <i>more</i></li></ul><p>after</p>', '- one\n- two more\n\nafter'],
  ['headings are marked', '<h2>Head</h2><div>text</div>', '## Head\n\ntext'],
  ['cells stand side by side', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a | b\n1 | 2'],
  ['scripts and styles are no text', '<script>x()</script><style>p{}</style><p>text</p>', 'text'],
  ['space between blocks is none', '<div>\n  <p> a </p>\n\n  <p>b\n c</p> </div>', 'a\n\nb c'],
  ['entities are read', '<p>a &amp; b &lt;c&gt; &#26085;&#x672c;</p>', 'a & b <c> 日本'],
])('%s', (_, html, text) => {
  expect(read(html)?.text).toBe(text);
});

test.each([
  ['is nested too deeply', `<html><body>${'<div>'.repeat(10_000)}deep`, 'deep'],
  ['has too many elements', `<html><body>${'<i>x</i>'.repeat(25_000)}</body></html>`, 'x'.repeat(25_000)],
])('a page that %s is not searched for its article but given as a whole', (_, html, text) => {
  expect([...extractArticle(html, libraries)]).toEqual([{ title: '', text }]);
});

test('a page that takes forever is given up, and nothing else waits for it', async () => {
  const hostile = extractInThread(`<html><body>${'<p>x</p>'.repeat(200_000)}`, { timeoutMs: 1 });
  const [harmless, given] = await Promise.allSettled([extractInThread('<p>Short.</p>'), hostile]);
  expect(harmless).toMatchObject({ status: 'fulfilled', value: { text: 'Short.' } });
  expect(given).toMatchObject({ status: 'rejected', reason: { kind: 'bad_response', options: { code: 'crawling_error' } } });
});

test('more pages than there are threads are all read', async () => {
  const pages = await Promise.all(Array.from({ length: 9 }, (_, index) => extractInThread(`<p>Page ${index}</p>`)));
  expect(pages.map(({ text }) => text)).toEqual(Array.from({ length: 9 }, (_, index) => `Page ${index}`));
});

test('a caller that stops is not kept waiting', async () => {
  const controller = new AbortController();
  const waiting = extractInThread(`<html><body>${'<div>'.repeat(50_000)}x`, { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
});

test('a caller that stops is not kept waiting for others either, and takes the turn of no other caller', async () => {
  const slow = `<html><body>${'<div>'.repeat(200_000)}x`;
  const [others, own] = [new AbortController(), new AbortController()];
  let ended = 0;
  const blocking = Array.from({ length: 4 }, () =>
    extractInThread(slow, { signal: others.signal }).catch(() => {
      ended += 1;
    }),
  );
  const waiting = extractInThread('<p>Never</p>', { signal: own.signal });
  const next = extractInThread('<p>Next</p>');
  // One that is still in time to be refused at once would prove nothing: by now all of them stand in line.
  await extractInThread('<p>Told at once</p>', { signal: AbortSignal.abort() }).catch(() => undefined);
  own.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  expect(ended).toBe(0);
  others.abort();
  await Promise.all(blocking);
  expect((await next).text).toBe('Next');
});

test('a thread that gave up on one page leaves nothing of it in the next', async () => {
  await expect(extractInThread(`<html><body>${'<p>old</p>'.repeat(200_000)}`, { timeoutMs: 1 })).rejects.toThrow('took too long');
  const pages = ['<title>One</title><p>1</p>', '<p>2</p>', '', '<p>4</p>'];
  const read = [];
  for (const html of pages) read.push(await extractInThread(html));
  expect(read).toEqual([
    { title: 'One', text: '1' },
    { title: '', text: '2' },
    { title: '', text: '' },
    { title: '', text: '4' },
  ]);
});

test.each([
  ['<svg', '<svg'.repeat(250_000)],
  ['<script>', '<script>'.repeat(120_000)],
  ['<!--', '<!--'.repeat(250_000)],
  ['<title', '<title'.repeat(160_000)],
  ['<body "', '<body "'.repeat(140_000)],
  ['<iframe>', '<iframe>'.repeat(120_000)],
  ['<template>', '<template>'.repeat(100_000)],
])('a page of a million characters of %s is completed in one walk', async (_, html) => {
  expect(await processorMs(1_000, () => completePage(html))).toBeLessThan(1_000);
});
