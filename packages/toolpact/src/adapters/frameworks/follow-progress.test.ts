import { describe, expect, test } from 'vitest';
import { followProgress } from './follow-progress.ts';

describe('followProgress', () => {
  test('yields every report in order and returns the end', async () => {
    const steps = followProgress(async (onProgress) => {
      onProgress({ done: 1 });
      onProgress({ done: 2 });
      await Promise.resolve();
      onProgress({ done: 3 });
      return 'end';
    });
    const seen: unknown[] = [];
    for (let step = await steps.next(); ; step = await steps.next()) {
      seen.push(step.value);
      if (step.done === true) break;
    }
    expect(seen).toEqual([{ done: 1 }, { done: 2 }, { done: 3 }, 'end']);
  });

  test('throws what the call throws', async () => {
    await expect(followProgress(() => Promise.reject(new Error('stop'))).next()).rejects.toThrow('stop');
  });

  test('leaves no rejection behind for one who leaves early', async () => {
    let end = (): void => undefined;
    const steps = followProgress((onProgress) => {
      onProgress({ done: 1 });
      return new Promise((_, reject) => {
        end = () => reject(new Error('no reader waits'));
      });
    });
    await steps.next();
    await steps.return(undefined as never);
    // The test runner fails on a rejection that is not handled.
    end();
    await new Promise((resolve) => setImmediate(resolve));
  });
});
