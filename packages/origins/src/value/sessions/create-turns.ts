/** The most that may wait for one turn: handlers that answer each event with another must not go on for ever. */
const maxWaiting = 1000;

/**
 * Creates a function that takes items strictly one after the other. What comes in while one is being taken waits for its turn and gives
 * undefined; what is too much is given to `refuse`.
 */
export function createTurns<TItem, TResult>(
  take: (item: TItem) => TResult,
  refuse: (item: TItem) => void,
): (item: TItem) => TResult | undefined {
  const waiting: TItem[] = [];
  let taking = false;
  return (item) => {
    if (taking) {
      if (waiting.length < maxWaiting) waiting.push(item);
      else refuse(item);
      return undefined;
    }
    taking = true;
    try {
      const first = take(item);
      for (let index = 0; index < waiting.length; index += 1) take(waiting[index] as TItem);
      return first;
    } finally {
      waiting.length = 0;
      taking = false;
    }
  };
}
