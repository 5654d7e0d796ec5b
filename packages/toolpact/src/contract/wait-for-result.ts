import type { StandardSchemaV1 } from './standard-schema.ts';

/** Arguments of the tool with which models wait for a pending call. */
type WaitInput = {
  readonly handle: string;
  readonly waitMs?: number;
};

/** Written by hand: guards and engines depend on no schema library. */
const input: StandardSchemaV1<WaitInput, WaitInput> = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate(value) {
      const { handle, waitMs } = (value ?? {}) as { readonly handle?: unknown; readonly waitMs?: unknown };
      const isTime = waitMs === undefined || (Number.isInteger(waitMs) && Number(waitMs) >= 0);
      const issues = [
        ...(typeof handle === 'string' && handle !== '' ? [] : [{ path: ['handle'], message: 'must be the handle of a pending call' }]),
        ...(isTime ? [] : [{ path: ['waitMs'], message: 'must be a whole number from 0' }]),
      ];
      return issues.length > 0
        ? { issues }
        : { value: { handle: String(handle), ...(waitMs !== undefined && { waitMs: Number(waitMs) }) } };
    },
  },
};

/** The tool with which models wait for the result of a pending call, but for its `run`: the same on every store and engine. */
export const waitForResult = {
  name: 'wait_for_result',
  description:
    'Waits for the result of a pending call. Pass the handle from its answer. Returns the result, or pending again: then call it once more.',
  input,
  jsonSchema: {
    input: {
      type: 'object',
      properties: {
        handle: { type: 'string', description: 'The handle of the pending call.' },
        waitMs: { type: 'integer', minimum: 0, description: 'How long to wait for the result, in milliseconds.' },
      },
      required: ['handle'],
    },
  },
  effects: 'none',
} as const;

/** Returns how long such a call waits: as long as asked, but not past its own deadline, which leaves some time for the answer. */
export function toWaitMs({ waitMs = 20_000 }: WaitInput, remainingMs: number): number {
  return Math.max(0, Math.min(waitMs, remainingMs - 500));
}
