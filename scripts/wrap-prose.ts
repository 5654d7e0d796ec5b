const width = 120;
/** Matches the start of a line that is not prose: a fence, a table, a heading, HTML, a rule or a definition of a link. */
const notProse = /^\s*(```|\||#|<|---|\[[^\]]+\]:)/;
/** A mark before a paragraph: of a list item or of a quotation. */
const mark = /^(\s*)([-*+] |\d+\. |> )?/;
/** Words, where code and links count as one word. */
const word = /(?:`[^`]*`|!?\[(?:`[^`]*`|[^\]])*\]\([^)]*\)|\S)+/g;
/** Matches a word that would begin a list, a heading or a quotation at the start of a line. */
const startsBlock = /^([-*+>]|#+|\d+\.)$/;

/** Breaks the paragraphs of a page that have a line of more than 120 characters; everything else stays as it is. */
export function wrapProse(markdown: string): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let inFence = false;
  const flush = () => {
    lines.push(...(paragraph.some((line) => line.length > width) ? wrap(paragraph) : paragraph));
    paragraph = [];
  };
  for (const line of markdown.split('\n')) {
    const isFence = /^\s*```/.test(line);
    if (inFence || line.trim() === '' || notProse.test(line)) {
      flush();
      lines.push(line);
    } else {
      if (mark.exec(line)?.[2] !== undefined) flush();
      paragraph.push(line);
    }
    if (isFence) inFence = !inFence;
  }
  flush();
  return lines.join('\n');
}

function wrap(paragraph: readonly string[]): readonly string[] {
  const [start = '', indent = '', sign = ''] = mark.exec(paragraph[0] ?? '') ?? [];
  const next = indent + (sign === '> ' ? sign : ' '.repeat(sign.length));
  const words = paragraph
    .map((line, index) => line.slice(index === 0 ? start.length : (/^\s*(> )?/.exec(line)?.[0].length ?? 0)))
    .join('\n')
    .match(word);
  const wrapped: string[] = [];
  let line = start;
  for (const [index, one] of (words ?? []).entries()) {
    if (index > 0 && line.length + 1 + one.length > width && !startsBlock.test(one)) {
      wrapped.push(line);
      line = next + one;
    } else {
      line += index === 0 ? one : ` ${one}`;
    }
  }
  return [...wrapped, line];
}
