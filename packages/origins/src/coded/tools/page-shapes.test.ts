import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { decodeText } from './visit/decode-text.ts';
import { extractArticle } from './visit/extract-article.ts';

// Every shape that a legal page, or one that browsers show all the same, can have. What a person would read must be in the text, what is not
// meant to be read must not.

const libraries = { parseHTML, Readability } as unknown as Parameters<typeof extractArticle>[1];
const say = 'The museum opens at ten.';

const shapes: readonly (readonly [shape: string, html: string, title?: string, text?: string])[] = [
  ['a whole page', `<!doctype html><html lang="en"><head><title>T</title></head><body><p>${say}</p></body></html>`],
  ['no head', `<!doctype html><html><body><p>${say}</p></body></html>`, ''],
  ['no head, a title in html', `<!doctype html><html><title>T</title><body><p>${say}</p></body></html>`],
  ['no html', `<!doctype html><head><title>T</title></head><body><p>${say}</p></body>`],
  ['no body', `<!doctype html><html><head><title>T</title></head><p>${say}</p></html>`],
  ['no html, head or body', `<!doctype html><title>T</title><p>${say}`],
  ['a head that is not closed', `<!doctype html><html><head><title>T</title><body><p>${say}</p></body></html>`],
  ['a head that is not closed, and no body', `<html><head><title>T</title><meta name="a" content="b"><p>${say}</p></html>`],
  ['a fragment', `<p>${say}</p>`, ''],
  ['words alone', say, ''],
  ['capital letters', `<!DOCTYPE HTML><HTML><HEAD><TITLE>T</TITLE></HEAD><BODY><P>${say}</P></BODY></HTML>`],
  ['attributes without quotes', `<html><head><title>T</title></head><body bgcolor=white text=#000><p class=a>${say}</p></body></html>`],
  ['an angle bracket in an attribute', `<html><head><title>T</title></head><body data-a="1 > 0"><p title="<b>">${say}</p></body></html>`],
  ['paragraphs that are not closed', `<title>T</title><body><p>${say}<p>Second.`, 'T', `${say}\n\nSecond.`],
  ['list items that are not closed', `<title>T</title><ul><li>${say}<li>Second.</ul>`, 'T', `- ${say}\n- Second.`],
  ['cells that are not closed', `<title>T</title><table><tr><td>${say}<td>b<tr><td>c<td>d</table>`, 'T', `${say} | b\nc | d`],
  ['tags that overlap', `<title>T</title><p><b>The <i>museum</b> opens</i> at ten.</p>`],
  ['tags that are closed twice', `<title>T</title><div><p>${say}</p></p></div></div></body></body>`],
  ['text after the end', `<html><head><title>T</title></head><body><p>${say}</p></body></html>After.`, 'T', `${say}\n\nAfter.`],
  [
    'two bodies',
    `<html><head><title>T</title></head><body><p>${say}</p></body><body><p>Second.</p></body></html>`,
    'T',
    `${say}\n\nSecond.`,
  ],
  [
    'a remark before everything',
    `<!-- made by hand --><!doctype html><html><head><title>T</title></head><body><p>${say}</p></body></html>`,
  ],
  ['a body in a remark', `<!-- <body> --><title>T</title><p>${say}</p>`],
  ['a body in a script', `<html><head><title>T</title><script>document.write("<body>")</script></head><p>${say}</p></html>`],
  ['remarks for old browsers', `<title>T</title><!--[if lt IE 9]><p>Old.</p><![endif]--><p>${say}</p>`],
  [
    'an old doctype',
    `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><title>T</title><p>${say}</p>`,
  ],
  [
    'XHTML',
    `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>T</title></head><body><p>${say}</p></body></html>`,
  ],
  [
    'XHTML with a script as CDATA',
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title><script type="text/javascript">//<![CDATA[\nx < 1\n//]]></script></head><body><p>${say}</p></body></html>`,
  ],
  [
    'XHTML with empty elements',
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body><p>${say}<br/><img src="a"/></p></body></html>`,
  ],
  [
    'XHTML with a prefix',
    `<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>T</h:title></h:head><h:body><h:p>${say}</h:p></h:body></h:html>`,
  ],
  [
    'frames',
    `<html><head><title>T</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html"><noframes><p>${say}</p></noframes></frameset></html>`,
  ],
  [
    'frames without a text',
    '<html><head><title>T</title></head><frameset><frame src="/main.html" title="Main"></frameset></html>',
    'T',
    'Frame: /main.html',
  ],
  ['a frame in a page', `<title>T</title><p>${say}</p><iframe src="/map">Your browser has no frames.</iframe>`],
  [
    'nothing but a frame in a page',
    '<title>T</title><iframe src="https://forms.example/1"></iframe>',
    'T',
    'Frame: https://forms.example/1',
  ],
  [
    'noscript with the text of the page',
    `<html><head><title>T</title></head><body><div id="app"></div><noscript><p>${say}</p></noscript><script>run()</script></body></html>`,
  ],
  ['noscript beside the text', `<title>T</title><p>${say}</p><noscript>Enable JavaScript.</noscript>`],
  ['noscript in the head', `<html><head><title>T</title><noscript><style>p{}</style></noscript></head><body><p>${say}</p></body></html>`],
  [
    'a page in one form',
    `<html><head><title>T</title></head><body><form action="x.aspx"><input type="hidden" value="v"><p>${say}</p></form></body></html>`,
  ],
  ['a template', `<title>T</title><template><p>Later.</p></template><p>${say}</p>`],
  ['a shadow tree', `<title>T</title><my-page><template shadowrootmode="open"><p>${say}</p></template></my-page>`],
  ['elements of its own', `<title>T</title><my-page><my-text>${say}</my-text></my-page>`],
  ['a picture with a title of its own', `<html><body><svg><title>Icon</title><text>x</text></svg><p>${say}</p></body></html>`, ''],
  [
    'a picture with a title before the page’s',
    `<html><head><title>T</title></head><body><svg><title>Icon</title></svg><p>${say}</p></body></html>`,
  ],
  ['details', `<title>T</title><details><summary>When?</summary><p>${say}</p></details>`, 'T', `When?\n\n${say}`],
  ['definitions', `<title>T</title><dl><dt>When?<dd>${say}</dl>`, 'T', `When?\n${say}`],
  ['a text as it is', `<title>T</title><pre>one  two\n  three</pre>`, 'T', 'one  two\n  three'],
  ['entities without a semicolon', '<title>T</title><p>Fish &amp chips &copy 2026 &lt;b&gt;</p>', 'T', 'Fish & chips © 2026 <b>'],
  ['numbers for characters', '<title>T</title><p>&#26085;&#x672C; &#8364;&nbsp;5</p>', 'T', '日本 € 5'],
  ['centre and font', `<title>T</title><center><font size="2">${say}</font></center>`],
  ['a marquee and other old elements', `<title>T</title><marquee><blink>${say}</blink></marquee>`],
  ['a base address and links', `<head><base href="/a/"><title>T</title><link rel="a" href="b"></head><a href="c">${say}</a>`],
  ['a title over several lines', `<title>\n  A\n  title &amp; more\n</title><p>${say}</p>`, 'A title & more'],
  ['two titles', `<head><title>T</title><title>Second</title></head><p>${say}</p>`],
  ['an object with a text for those without it', `<title>T</title><object data="a.swf"><p>${say}</p></object>`],
  ['a zero byte and odd spaces', `<title>T</title><p>The\u0000 museum\u00a0opens at\u2003ten.</p>`],
];

test.each(shapes)('%s', (_, html = '', title = 'T', text = say) => {
  const found = [...extractArticle(html, libraries)].at(-1);
  expect(found).toEqual({ title, text });
});

const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : [...part])));
const utf16 = (text: string, isLittle: boolean): number[] =>
  [...text].flatMap((letter) => {
    const code = letter.charCodeAt(0);
    return isLittle ? [code & 255, code >> 8] : [code >> 8, code & 255];
  });

const encodings: readonly (readonly [what: string, body: Uint8Array, type: string, text: string])[] = [
  ['UTF-8 without a word', new TextEncoder().encode('<p>café 日本</p>'), 'text/html', 'café 日本'],
  ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], [...new TextEncoder().encode('<p>café</p>')]), 'text/html', 'café'],
  ['UTF-16, little end first, with a mark', bytes([0xff, 0xfe], utf16('<p>café</p>', true)), 'text/html', 'café'],
  ['UTF-16, big end first, with a mark', bytes([0xfe, 0xff], utf16('<p>café</p>', false)), 'text/html', 'café'],
  ['UTF-16 by its content type', bytes(utf16('<p>café</p>', true)), 'text/html; charset=utf-16le', 'café'],
  ['UTF-16 without a mark or a word', bytes(utf16('<!doctype html><p>café</p>', true)), 'text/html', 'café'],
  ['a page that calls itself UTF-16 and is not', bytes('<meta charset="utf-16"><p>cafe</p>'), 'text/html', 'cafe'],
  ['Latin 1 without a word', bytes('<p>caf', [0xe9], '</p>'), 'text/html', 'café'],
  ['Latin 1 by its content type', bytes('<p>caf', [0xe9], '</p>'), 'text/html; charset=ISO-8859-1', 'café'],
  ['Latin 1 by a meta element', bytes('<meta charset=latin1><p>caf', [0xe9], '</p>'), 'text/html', 'café'],
  [
    'an old meta element',
    bytes('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>', [0xcc, 0xe8, 0xf0], '</p>'),
    'text/html',
    'Мир',
  ],
  ['Shift JIS', bytes('<p>', [0x93, 0xfa, 0x96, 0x7b], '</p>'), 'text/html; charset=Shift_JIS', '日本'],
  ['EUC-JP', bytes('<meta charset="euc-jp"><p>', [0xc6, 0xfc, 0xcb, 0xdc], '</p>'), 'text/html', '日本'],
  [
    'ISO-2022-JP',
    bytes('<p>', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42], '</p>'),
    'text/html; charset=iso-2022-jp',
    '日本',
  ],
  ['GB 18030', bytes('<meta charset="gb2312"><p>', [0xd6, 0xd0, 0xb9, 0xfa], '</p>'), 'text/html', '中国'],
  ['Big5', bytes('<p>', [0xa4, 0xa4, 0xb0, 0xea], '</p>'), 'text/html; charset="big5"', '中國'],
  ['EUC-KR', bytes('<p>', [0xc7, 0xd1, 0xb1, 0xdb], '</p>'), "text/html; charset='euc-kr'", '한글'],
  [
    'an XML declaration',
    bytes('<?xml version="1.0" encoding="ISO-8859-2"?><html><body><p>', [0xb1], '</p></body></html>'),
    'application/xhtml+xml',
    'ą',
  ],
  ['an encoding that does not exist', new TextEncoder().encode('<meta charset="klingon"><p>café</p>'), 'text/html; charset=none', 'café'],
  ['a few broken bytes', bytes('<meta charset="utf-8"><p>caf', [0xff], '</p>'), 'text/html', 'caf\ufffd'],
];

test.each(encodings)('bytes: %s', (_, body, type, text) => {
  expect([...extractArticle(decodeText(body, type), libraries)].at(-1)?.text).toBe(text);
});
