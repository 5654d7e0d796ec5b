/** Something that becomes due. The queue alone writes its place. */
export interface Due {
  dueAt: number;
  /** Its place in the queue; -1 outside of it. */
  place: number;
}

/** Things in the order in which they become due: a heap, out of which each of them can be taken at once. */
export interface DueQueue<TDue extends Due> {
  readonly first: () => TDue | undefined;
  readonly add: (due: TDue) => void;
  readonly remove: (due: TDue) => void;
}

export function createDueQueue<TDue extends Due>(): DueQueue<TDue> {
  const heap: TDue[] = [];

  const put = (due: TDue, place: number): void => {
    heap[place] = due;
    due.place = place;
  };

  /** Moves what stands at a place to where it belongs. */
  const settle = (due: TDue, from: number): void => {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const upper = heap[above] as TDue;
      if (upper.dueAt <= due.dueAt) break;
      put(upper, place);
      place = above;
    }
    for (;;) {
      let below = 2 * place + 1;
      if (below + 1 < heap.length && (heap[below + 1] as TDue).dueAt < (heap[below] as TDue).dueAt) below += 1;
      const lower = heap[below];
      if (lower === undefined || lower.dueAt >= due.dueAt) break;
      put(lower, place);
      place = below;
    }
    put(due, place);
  };

  return {
    first: () => heap[0],
    add(due) {
      heap.push(due);
      settle(due, heap.length - 1);
    },
    remove(due) {
      const last = heap.pop() as TDue;
      if (last !== due) settle(last, due.place);
      due.place = -1;
    },
  };
}
