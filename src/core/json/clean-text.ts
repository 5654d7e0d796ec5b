// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\0-\x08\v\f\x0e-\x1f\x7f]/;
const allControls = new RegExp(controls, 'g');

/** Checks whether providers take a text: no half of a surrogate pair, no control character except tab and line breaks. */
export function isCleanText(text: string): boolean {
  return !controls.test(text) && text.isWellFormed();
}

/** Puts the replacement character in the place of what providers refuse, because one such text would spoil the whole conversation. */
export function cleanText(text: string): string {
  return isCleanText(text) ? text : text.toWellFormed().replace(allControls, '\ufffd');
}
