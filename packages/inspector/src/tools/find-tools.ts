import type { ListedTool } from '../api/api-shapes.ts';

/** Finds tools by words in their name or description; those whose name holds the text come first. */
export function findTools(tools: readonly ListedTool[], text: string): readonly ListedTool[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tools;
  const fits = (place: string): boolean => words.every((word) => place.toLowerCase().includes(word));
  const byName = tools.filter(({ name }) => fits(name));
  return [...byName, ...tools.filter((tool) => !byName.includes(tool) && fits(`${tool.name} ${tool.description}`))];
}
