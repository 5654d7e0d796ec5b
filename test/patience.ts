// A busy machine answers late. What a test waits for may take half a minute; vitest grants one second.
import { vi } from 'vitest';

const { waitFor } = vi;
// Files share a process, and so this function.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(check, options) {
    return waitFor(check, { timeout: 30_000, ...(typeof options === 'number' ? { timeout: options } : options) });
  };
}
