/** Creates a check whether a value of JSON contains a text, in any case: in a text, a number or the name of an argument's field. */
export function hasText(text: string): (value: unknown) => boolean {
  const wanted = text.toLowerCase();
  // As it would stand in JSON, where quotes and line ends are escaped. To look through JSON is several times faster than to walk through values.
  const escaped = JSON.stringify(wanted).slice(1, -1);
  return (value) => value !== undefined && JSON.stringify(value).toLowerCase().includes(escaped) && isWithin(value, wanted);
}

/** The marks of JSON, and the names of fields that every record has, are no text of a call. */
function isWithin(value: unknown, wanted: string, isOwnField = false): boolean {
  if (typeof value !== 'object' || value === null) return value !== null && String(value).toLowerCase().includes(wanted);
  if (Array.isArray(value)) return value.some((item) => isWithin(item, wanted, isOwnField));
  return Object.entries(value).some(
    ([name, item]) =>
      (isOwnField && name.toLowerCase().includes(wanted)) || isWithin(item, wanted, isOwnField || name === 'input' || name === 'data'),
  );
}
