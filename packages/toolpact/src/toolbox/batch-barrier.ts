/** The place of one call in a batch. */
interface BatchPlace {
  readonly pass: () => Promise<void>;
  readonly leave: () => void;
}

/** Creates a barrier that holds calls back until as many have come as are expected, then lets a few through at a time, in order. */
export function createBatchBarrier(expected: number, room: number): (index: number) => BatchPlace {
  const waiting: { readonly index: number; readonly go: () => void }[] = [];
  let arrived = 0;
  let inside = 0;
  const letIn = (): void => {
    if (arrived < expected) return;
    waiting.sort((a, b) => b.index - a.index);
    while (inside < room && waiting.length > 0) {
      inside += 1;
      waiting.pop()?.go();
    }
  };
  return (index) => {
    let place: (typeof waiting)[number] | undefined;
    let isInside = false;
    let release = (): void => undefined;
    return {
      pass: () => {
        arrived += 1;
        return new Promise((resolve) => {
          release = resolve;
          const go = (): void => {
            isInside = true;
            resolve();
          };
          place = { index, go };
          waiting.push(place);
          letIn();
        });
      },
      leave: () => {
        // A call that ended while it waited has not taken a place inside.
        if (isInside) inside -= 1;
        else if (place === undefined) arrived += 1;
        else waiting.splice(waiting.indexOf(place), 1);
        // Its guards still wait here, and may have something to put back.
        release();
        letIn();
      },
    };
  };
}
