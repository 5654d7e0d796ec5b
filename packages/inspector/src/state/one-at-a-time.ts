/** Makes reads follow each other: all that are asked for while one is under way become one more after it. */
export function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const start = (): Promise<void> => {
    current = read().finally(() => {
      current = undefined;
    });
    return current;
  };
  return () => {
    if (following !== undefined) return following;
    if (current === undefined) return start();
    following = current.then(() => {
      following = undefined;
      return start();
    });
    return following;
  };
}
