const wanted = 1_200;
const most = 2_000;

/**
 * Splits a document into pieces of a size that a model can be given several of. Paragraphs stay whole where they can; one that is too long is
 * cut at the end of a sentence.
 */
export function splitChunks(text: string): string[] {
  const pieces = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph) => (paragraph.length <= most ? [paragraph] : cutParagraph(paragraph)));
  const chunks: string[] = [];
  for (const piece of pieces) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length + piece.length + 2 <= wanted) chunks[chunks.length - 1] = `${last}\n\n${piece}`;
    else chunks.push(piece);
  }
  return chunks;
}

function cutParagraph(paragraph: string): string[] {
  const pieces: string[] = [];
  for (let rest = paragraph; rest !== ''; ) {
    const end = rest.length <= most ? rest.length : endOfSentence(rest.slice(0, most));
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trimStart();
  }
  return pieces;
}

function endOfSentence(text: string): number {
  const ends = [...text.matchAll(/[.!?]\s|[。\uff01\uff1f\n]/g)].map(({ index, 0: { length } }) => index + length);
  const end = ends.at(-1) ?? text.lastIndexOf(' ') + 1;
  if (end > wanted / 2) return end;
  // Never between the two halves of one character.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}
