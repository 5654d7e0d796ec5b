import type { ToolFault } from '@toolpact/testing';

/** A fault that the page offers. */
export interface PageFault {
  readonly description: string;
  readonly fault: ToolFault;
  /** The time limit of a call with this fault, so that a person does not wait long. */
  readonly timeoutMs?: number;
}

/** The faults that the page offers, by name: what goes wrong in real life. */
export const pageFaults: Readonly<Record<string, PageFault>> = {
  rate_limited: {
    description: 'The service answers 429: retry after 2 seconds.',
    fault: { kind: 'rate_limited', retryAfterMs: 2_000 },
  },
  unreachable: {
    description: 'The connection is refused.',
    fault: { throws: () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED', syscall: 'connect' }) },
  },
  upstream: {
    description: 'The service answers 503.',
    fault: { throws: () => new Response('upstream connect error', { status: 503 }) },
  },
  unauthenticated: { description: 'The credential has expired.', fault: { throws: () => new Response('token expired', { status: 401 }) } },
  not_found: {
    description: 'The requested thing does not exist.',
    fault: { kind: 'not_found', message: 'There is nothing with this name.' },
  },
  timeout: { description: 'The tool misses its deadline (1 second).', fault: { hang: 'until-aborted' }, timeoutMs: 1_000 },
  slow: { description: 'The result takes 2 seconds longer.', fault: { slowMs: 2_000 } },
  bug: {
    description: 'The tool throws a TypeError.',
    fault: { throws: (order?: { readonly id: string }) => (order as { readonly id: string }).id },
  },
  wrong_output: {
    description: 'The tool runs and returns a result that breaks its schema.',
    fault: { answer: 'wrong-schema', at: 'after' },
  },
  huge_output: { description: 'The tool runs and returns 10 MB.', fault: { answer: 'huge', at: 'after' } },
  after_effect: {
    description: 'The tool runs, and the connection breaks before its result arrives.',
    fault: { kind: 'unreachable', message: 'The connection was closed.', at: 'after' },
  },
  crash: { description: 'The process dies after the tool has finished.', fault: { crash: 'before-settle' } },
};
