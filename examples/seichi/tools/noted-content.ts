import type { Content } from 'toolpact';

/** Writes data for a model together with what it should know about it. Without anything to know the model reads the data as it is. */
export function notedContent(data: object, warnings: readonly string[]): { readonly content?: readonly Content[] } {
  if (warnings.length === 0) return {};
  return { content: [{ type: 'text', text: [JSON.stringify(data), ...warnings.map((warning) => `Note: ${warning}`)].join('\n') }] };
}
