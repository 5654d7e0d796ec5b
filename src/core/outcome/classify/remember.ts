/** Keeps a value under a text, in a memory that starts anew when it is full: ids inside what is remembered must not fill it. */
export function remember<TValue>(memory: Map<string, TValue>, text: string, value: TValue, most = 256): TValue {
  if (memory.size >= most) memory.clear();
  memory.set(text, value);
  return value;
}
