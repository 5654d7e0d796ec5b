/** Numbers that a seed draws: the same seed gives the same numbers in the same order. */
export interface Random {
  /** From 0 up to, not including, 1. */
  readonly next: () => number;
  /** A whole number from 0 up to, not including, `below`. */
  readonly below: (below: number) => number;
  readonly between: (from: number, to: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <TItem>(items: readonly TItem[]) => TItem;
  /** Draws one of several names, each as often as its weight says. */
  readonly weighted: <TName extends string>(weights: Readonly<Record<TName, number>>) => TName;
  /** Makes numbers of their own, so that one part of a run that draws more does not change what another part draws. */
  readonly fork: (name: string) => Random;
}

/** Creates the numbers of a seed (sfc32, seeded by a hash of the text). */
export function createRandom(seed: number | string): Random {
  const text = String(seed);
  let [a, b, c, d] = [hash(text, 1), hash(text, 2), hash(text, 3), 1];
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return (t >>> 0) / 4_294_967_296;
  };
  for (let warm = 0; warm < 12; warm += 1) next();
  const random: Random = {
    next,
    below: (below) => Math.floor(next() * below),
    between: (from, to) => from + next() * (to - from),
    chance: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return (entries.at(-1) as (typeof entries)[number])[0];
    },
    fork: (name) => createRandom(`${text}/${name}`),
  };
  return random;
}

/** Numbers that are all the same, where something else than chance decides. */
export function createSteady(value: number): Random {
  const next = (): number => value;
  return {
    ...createRandom(0),
    next,
    between: (from, to) => from + value * (to - from),
    chance: (share) => value < share,
    fork: () => createSteady(value),
  };
}

/** FNV-1a with a start of its own, finished like murmur3. */
function hash(text: string, start: number): number {
  let value = 2_166_136_261 ^ Math.imul(start, 2_654_435_761);
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619);
  value = Math.imul(value ^ (value >>> 16), 2_246_822_507);
  value = Math.imul(value ^ (value >>> 13), 3_266_489_909);
  return value ^ (value >>> 16);
}
