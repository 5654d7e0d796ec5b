/** Writes a result that is not an outcome as text, as its host would: itself, or its JSON. */
export function toPlainText(result: unknown): string {
  if (typeof result === 'string') return result;
  try {
    return JSON.stringify(result) ?? 'null';
  } catch {
    return String(result);
  }
}
