/** A page as a parser needs it. */
export interface CompletePage {
  /** With exactly one `html`, `head` and `body`. */
  readonly html: string;
  /** The addresses of its frames. */
  readonly frames: readonly string[];
}

/** Elements whose content is no markup, and drawings, whose titles are not the page's. */
const opaque = ['script', 'style', 'textarea', 'xmp', 'svg', 'title'] as const;
const found =
  /<!--|<!doctype|<\?xml|<template\b|<(script|style|textarea|xmp|svg|title)\b|<\/?(?:html|head|body|frameset|noframes)\b|<i?frame\b/gi;

/**
 * Writes a page as browsers read it: they put in what authors leave out and ignore what stands there twice, which the parser does not do.
 * Everything but the title goes into the body, because a head that is not closed ends where the first text begins.
 */
export function completePage(page: string): CompletePage {
  const source = withoutPrefix(page.replaceAll('\u0000', ''));
  const lower = source.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const missing = new Set<string>();
  const kept: string[] = [];
  const frames: string[] = [];
  let title = '';
  let at = 0;
  found.lastIndex = 0;
  for (let match = found.exec(source); match !== null; match = found.exec(source)) {
    const [text, name = ''] = match;
    const element = name.toLowerCase() as (typeof opaque)[number] | '';
    const end =
      text === '<!--' ? endOf(lower, '-->', match.index) : element === '' ? tagEnd(source, match.index) : closingOf(element, match.index);
    kept.push(source.slice(at, match.index));
    const whole = source.slice(match.index, end);
    if (element === 'title') title ||= whole;
    else if (/^<i?frame/i.test(text)) frames.push(...sourceOf(whole));
    // A shadow tree is shown where it stands; what no other template holds is shown at all.
    else if (/^<template/i.test(text)) kept.push(/\sshadowrootmode\s*=/i.test(whole) ? '<div>' : whole);
    else if (element !== '' && element !== 'svg') kept.push(whole);
    // An iframe holds text for browsers that have none.
    at = /^<iframe/i.test(text) ? closingOf('iframe', match.index) : end;
    found.lastIndex = at;
  }
  kept.push(source.slice(at));
  return { html: `<html><head>${title}</head><body>${kept.join('')}</body></html>`, frames };

  /** Each kind of element is searched for once in vain at most, so that a page of opening tags costs one walk. */
  function closingOf(element: string, from: number): number {
    if (missing.has(element)) return tagEnd(source, from);
    const close = lower.indexOf(`</${element}`, from);
    if (close >= 0) return tagEnd(source, close);
    missing.add(element);
    return tagEnd(source, from);
  }
}

function endOf(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from);
  return end < 0 ? text.length : end + sign.length;
}

const tag = /(?:"[^"]*"|'[^']*'|[^'">])*>?/y;

function tagEnd(source: string, from: number): number {
  tag.lastIndex = from;
  tag.test(source.length - from > 10_000 ? source.slice(0, from + 10_000) : source);
  return tag.lastIndex > from ? tag.lastIndex : from + 1;
}

function sourceOf(element: string): string[] {
  const [, quoted, single, bare] = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(element.slice(0, 4_000)) ?? [];
  const address = (quoted ?? single ?? bare ?? '').trim();
  return address === '' || /^(?:about|javascript|data):/i.test(address) ? [] : [address];
}

/** XHTML may write its elements with a prefix: `<h:body>`. */
function withoutPrefix(page: string): string {
  const [, prefix] = /<([a-z][\w-]{0,20}):html\b/i.exec(page.slice(0, 4_000)) ?? [];
  return prefix === undefined ? page : page.replaceAll(`<${prefix}:`, '<').replaceAll(`</${prefix}:`, '</');
}
