/** Keeps a value under a text, in a memory that starts anew when it is full: ids inside what is remembered must not fill it. */
export function remember<TValue>(memory: Map<string, TValue>, text: string, value: TValue): TValue {
  if (memory.size >= 2000) memory.clear();
  // A part of a long text holds the whole text in memory; a copy does not.
  memory.set(` ${text}`.slice(1), value);
  return value;
}

/** Creates a function that works out its answer to each text once, as long as it is remembered. */
export function once<TValue extends object>(answer: (text: string) => TValue): (text: string) => TValue {
  const memory = new Map<string, TValue>();
  return (text) => memory.get(text) ?? remember(memory, text, answer(text));
}
