import type { PartPath } from './map-json.ts';

/** Writes a path as people read it, such as `items.0.name`; `whole` names the value itself, to which an empty path leads. */
export function pathText(path: PartPath, whole: string): string {
  return path.length === 0 ? whole : path.join('.');
}
