import { other } from './conventions.ts';

const maxTools = 1000;

/** Keeps a label bounded: after the stated number of distinct values for one tool every new one becomes `_OTHER`. */
export function createValueCap(most: number): (tool: string, value: string) => string {
  const seen = new Map<string, Set<string>>();
  return (tool, value) => {
    let values = seen.get(tool);
    if (values === undefined) {
      if (seen.size >= maxTools) return other;
      values = new Set();
      seen.set(tool, values);
    }
    if (values.has(value)) return value;
    if (values.size >= most) return other;
    values.add(value);
    return value;
  };
}
