import type { Outcome, Progress } from 'toolpact';
import { knownOptions, type OptionNames } from 'toolpact/internal';
import { formQuery } from './answer-form.ts';
import type { ClientParts } from './ask.ts';
import type { CallOptions } from './client.ts';
import { headerOf, timeHeader } from './context-headers.ts';
import type { Sending } from './exchange.ts';

/** Calls one tool. */
export function sendCall(
  { ask, form, timeoutMs: defaultMs }: ClientParts,
  name: string,
  args: unknown,
  options: CallOptions,
): Promise<Outcome> {
  const {
    idempotent = false,
    idempotencyKey = idempotent ? crypto.randomUUID() : undefined,
    effects,
    onProgress,
    timeoutMs = defaultMs,
  } = options;
  return ask(
    {
      method: 'POST',
      path: `/v1/tools/${encodeURIComponent(String(name).toWellFormed())}${formQuery(form)}`,
      body: args ?? {},
      tool: name,
      effects,
      hasKey: idempotencyKey !== undefined,
      headers: { ...timeHeader(timeoutMs), ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
      ...(onProgress !== undefined && { onEvent: listen(onProgress) }),
      options,
      optionNames,
    },
    options,
  );
}

const optionNames: OptionNames<CallOptions> = {
  ...knownOptions(headerOf),
  signal: true,
  timeoutMs: true,
  idempotencyKey: true,
  idempotent: true,
  effects: true,
  onProgress: true,
};

/** Reports progress until the outcome comes. Errors of the listener are ignored. */
function listen(onProgress: (progress: Progress) => void): NonNullable<Sending['onEvent']> {
  return ({ event, data }) => {
    if (event !== 'progress') return event === 'outcome';
    try {
      onProgress(JSON.parse(data) as Progress);
    } catch {
      // Neither a broken event nor a broken listener ends the call.
    }
    return false;
  };
}
