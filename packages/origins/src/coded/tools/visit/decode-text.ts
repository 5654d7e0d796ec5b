const marks: readonly (readonly [label: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  // The first sign of a page, in two bytes.
  ['utf-16le', [0x3c, 0x00]],
  ['utf-16be', [0x00, 0x3c]],
];

/**
 * Turns the bytes of a page into text. The charset is stated by a byte order mark, the content type, or the head of the document (a head that
 * could be read and says UTF-16 is wrong); without any,
 * bytes that are not UTF-8 are read as the web's oldest default.
 */
export function decodeText(body: Uint8Array, contentType = ''): string {
  const marked = marks.find(([, bytes]) => bytes.every((byte, index) => body[index] === byte))?.[0];
  const said = marked ?? charsetOf(contentType) ?? charsetOf(headOf(body))?.replace(/^utf-16.*/i, 'utf-8');
  return decode(body, said, false) ?? decode(body, 'utf-8', true) ?? decode(body, 'windows-1252', false) ?? '';
}

function charsetOf(text: string): string | undefined {
  return /(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)/i.exec(text)?.[1];
}

/** Only what declares itself: the same words further down are text of the page. */
function headOf(body: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 2048));
  return [...head.matchAll(/<\?xml[^>]*>|<meta[^>]*>/gi)].join('\n');
}

function decode(body: Uint8Array, label: string | undefined, fatal: boolean): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label, { fatal }).decode(body);
  } catch {
    // An unknown charset, or bytes that are not in it.
    return undefined;
  }
}
