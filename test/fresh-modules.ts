// Files share a process, not what modules remember: timers that one file's clock has set would never end in the next.
import { vi } from 'vitest';

vi.resetModules();
