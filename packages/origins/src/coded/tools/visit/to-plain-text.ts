/** As much of a DOM node as is read here. */
export interface TextNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly firstChild: TextNode | null;
  readonly nextSibling: TextNode | null;
}

const silent = new Set('TITLE SCRIPT STYLE NOSCRIPT TEMPLATE HEAD SVG IFRAME BUTTON SELECT DATALIST TEXTAREA'.split(' '));
const inline = new Set(
  'A ABBR B BDI BDO CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK Q RB RP RT RUBY S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR'.split(
    ' ',
  ),
);
const prefixes: Readonly<Record<string, string>> = { LI: '- ', H1: '# ', H2: '## ', H3: '### ', H4: '#### ', H5: '##### ', H6: '###### ' };
const tight = new Set(['LI', 'TR', 'BR', 'DT', 'DD']);

/**
 * Writes the text of a node so that its structure can still be seen: paragraphs apart, headings and list items marked, cells side by side.
 * It keeps its own stack, because pages can be nested deeper than calls.
 */
export function toPlainText(root: TextNode): string {
  // Pieces, not one text that grows: looking at its end would cost more with every word.
  const pieces: string[] = [];
  /** How many line breaks are owed before the next words. */
  let breaks = 0;
  let prefix = '';
  const owe = (lines: number): void => {
    breaks = Math.max(breaks, lines);
  };
  /** In how many elements that keep their spaces we are. */
  let asWritten = 0;
  const write = (words: string): void => {
    const last = pieces.at(-1);
    if (words.trim() === '') {
      if (last !== undefined && breaks === 0 && !last.endsWith(' ')) pieces.push(' ');
      return;
    }
    const starts = last === undefined || breaks > 0;
    if (last !== undefined && breaks > 0) pieces.push('\n'.repeat(breaks));
    pieces.push(prefix + (starts && asWritten === 0 ? words.trimStart() : words));
    [breaks, prefix] = [0, ''];
  };
  const stack: (TextNode | { readonly closes: string })[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if ('closes' in node) {
      if (node.closes === 'PRE') asWritten -= 1;
      if (node.closes === 'TD' || node.closes === 'TH') write(' | ');
      else owe(tight.has(node.closes) ? 1 : 2);
      continue;
    }
    if (node !== root && node.nextSibling !== null) stack.push(node.nextSibling);
    const name = node.nodeName.toUpperCase();
    if (node.nodeType === 3) write(asWritten > 0 ? (node.nodeValue ?? '') : (node.nodeValue ?? '').replace(/\s+/g, ' '));
    if (node.nodeType === 3 || silent.has(name)) continue;
    if (!inline.has(name)) {
      if (name !== 'TD' && name !== 'TH') owe(tight.has(name) ? 1 : 2);
      prefix = prefixes[name] ?? prefix;
      if (name === 'PRE') asWritten += 1;
      stack.push({ closes: name });
    }
    if (node.firstChild !== null) stack.push(node.firstChild);
  }
  return pieces
    .join('')
    .replace(/[ |]+$/gm, '')
    .trim();
}
