import { isMainThread, type MessagePort } from 'node:worker_threads';
import { type CompletePage, completePage } from './complete-page.ts';
import { type TextNode, toPlainText } from './to-plain-text.ts';

/** The readable part of a page. */
export interface Article {
  readonly title: string;
  readonly text: string;
}

/** As much of the two libraries as is used here; only who visits pages needs to have them. */
interface Reader {
  readonly parse: () => { readonly title?: string | null; readonly content?: string | null } | null;
}
interface Libraries {
  readonly parseHTML: (html: string) => { readonly document: PageDocument };
  readonly Readability: new (document: PageDocument, options: { readonly charThreshold: number }) => Reader;
}
interface PageDocument {
  readonly querySelector: (selector: string) => { readonly textContent: string | null } | null;
  readonly body: TextNode | null;
}

/** Beyond these the search for the article takes too long to be worth it. */
const maxNodes = 50_000;
const maxLevels = 500;

/** A page for a thread, and the port that takes what it finds. */
export interface PageTask {
  readonly html: string;
  readonly found: MessagePort;
}

let loaded: Promise<Libraries> | undefined;

/**
 * Reads a page in a thread of its own, because one can be made so that reading it takes minutes. Posts that it begins, then each thing it finds:
 * that is what is left where the thread is ended. Gives the best.
 *
 * @public The pool of threads finds it by its name.
 */
export async function extractPage({ html, found }: PageTask): Promise<Article> {
  loaded ??= loadLibraries();
  const libraries = await loaded;
  found.postMessage('begun');
  let best: Article = { title: '', text: '' };
  for (const article of extractArticle(html, libraries)) {
    best = article;
    found.postMessage(article);
  }
  found.close();
  return best;
}

async function loadLibraries(): Promise<Libraries> {
  // Output of the thread would get between the messages of a server on stdio.
  if (!isMainThread) for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
  const [linkedom, readability] = ['linkedom', '@mozilla/readability'];
  return { ...(await import(linkedom as string)), ...(await import(readability as string)) } as Libraries;
}

/** Finds what a page is about, step by step: first all of its text, then, where there is one, its article. The last one is the best. */
export function* extractArticle(html: string, { parseHTML, Readability }: Libraries): Generator<Article> {
  const page = completePage(html);
  const { document } = parseHTML(page.html);
  const title = toTitle(document.querySelector('title')?.textContent);
  const whole = document.body === null ? '' : toPlainText(document.body);
  if (whole === '') {
    yield { title, text: textWithoutScripts(page, parseHTML) };
    return;
  }
  yield { title, text: whole };
  if (document.body === null || isTooComplex(document.body)) return;
  const article = new Readability(document, { charThreshold: 200 }).parse();
  const body = article?.content ? parseHTML(`<html><body>${article.content}</body></html>`).document.body : null;
  const text = body === null ? '' : toPlainText(body);
  // Of a short page the article often lacks most of the text; then the whole text is the better result.
  if (text !== '' && text.length * 4 >= Math.min(whole.length, 2_000)) yield { title: toTitle(article?.title) || title, text };
}

/** A page without text may have a text for browsers without scripts, or consist of frames. */
function textWithoutScripts({ html, frames }: CompletePage, parseHTML: Libraries['parseHTML']): string {
  const { body } = parseHTML(html.replace(/<\/?noscript\b[^>]*>/gi, '')).document;
  const text = body === null ? '' : toPlainText(body);
  return text === ''
    ? frames
        .slice(0, 20)
        .map((address) => `Frame: ${address.slice(0, 2_000)}`)
        .join('\n')
    : text;
}

/** A page can call a whole book its title. */
function toTitle(text: string | null | undefined): string {
  const line = (text ?? '').slice(0, 2_000).replace(/\s+/g, ' ').trim();
  return line.slice(0, 300).replace(/[\ud800-\udbff]$/, '');
}

function isTooComplex(root: TextNode): boolean {
  const stack: (readonly [node: TextNode, level: number])[] = [[root, 0]];
  for (let seen = 0; seen < maxNodes; seen += 1) {
    const [node, level] = stack.pop() ?? [];
    if (node === undefined || level === undefined) return false;
    if (level > maxLevels) return true;
    if (level > 0 && node.nextSibling !== null) stack.push([node.nextSibling, level]);
    if (node.firstChild !== null) stack.push([node.firstChild, level + 1]);
  }
  return true;
}
