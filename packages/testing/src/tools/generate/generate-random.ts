/** A source of choices that gives the same ones again for the same seed. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  readonly next: () => number;
  /** A whole number between two others, both included. */
  readonly int: (least: number, most: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
}

/** Creates a source of choices. Each name has a stream of its own, so that one tool more changes nothing for the others. */
export function createRandom(seed: number, name = ''): Random {
  let state = mix(seed, name);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return { next, int, pick: (items) => items[int(0, items.length - 1)] as (typeof items)[number] };
}

function mix(seed: number, name: string): number {
  let state = Math.imul(seed, 0x9e3779b1) | 0;
  for (let at = 0; at < name.length; at += 1) state = Math.imul(state ^ name.charCodeAt(at), 0x01000193);
  return state;
}
