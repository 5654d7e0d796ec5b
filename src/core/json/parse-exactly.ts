/**
 * Parses JSON, but gives a whole number that no JavaScript number can hold as a text of its digits: an id must not become another one. A tool
 * that takes texts then gets all digits, and one that takes numbers refuses. Throws like `JSON.parse`.
 */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (!/\d{16}/.test(json)) return value;
  const exact = quoteNumbers(json);
  return exact === json ? value : JSON.parse(exact);
}

/** Gives arguments that a person or a model wrote as text with all digits; text that is no JSON is left to those who can say what is wrong with it. */
export function readExactly(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

/** Texts, which are passed over, and whole numbers. More digits make a number infinite. */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?[1-9]\d{15,307}(?![\d.eE])/g;

/** Not a reviver of `JSON.parse`: it takes longer for a large body, and not all platforms tell it what a number was read from. */
function quoteNumbers(json: string): string {
  return json.replace(textOrNumber, (part) => (part.startsWith('"') || BigInt(part) === BigInt(Number(part)) ? part : `"${part}"`));
}
