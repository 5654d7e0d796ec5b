// A busy machine answers late. What a test waits for may take half a minute; vitest grants one second.
import { vi } from 'vitest';

const { waitFor } = vi;
vi.waitFor = (check, options) => waitFor(check, { timeout: 30_000, ...(typeof options === 'number' ? { timeout: options } : options) });
