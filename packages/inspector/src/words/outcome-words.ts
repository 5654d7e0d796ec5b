import type { FailureKind, Recovery } from 'toolpact';
import type { Effect } from 'toolpact/internal';
import type { CallStatus } from '../api/api-shapes.ts';

/** How much attention something asks for; each tone has a colour and is never the only sign. */
export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'live' | 'calm';

/** The name and tone of each status. */
export const statusWords = {
  running: { text: 'Running', tone: 'live' },
  ok: { text: 'OK', tone: 'good' },
  partial: { text: 'Partly failed', tone: 'warn' },
  error: { text: 'Failed', tone: 'bad' },
  pending: { text: 'Waiting', tone: 'wait' },
} as const satisfies Record<CallStatus, { text: string; tone: Tone }>;

/** The meaning of each kind of failure, short enough for a chip. */
export const kindWords = {
  invalid_input: 'Invalid arguments',
  unknown_tool: 'No such tool',
  not_found: 'Not found',
  unauthenticated: 'Credential refused',
  forbidden: 'Not allowed',
  denied: 'Denied',
  conflict: 'Conflict',
  not_ready: 'Not ready yet',
  not_configured: 'Not configured',
  rate_limited: 'Rate limited',
  budget_exhausted: 'Budget exhausted',
  timeout: 'Timed out',
  cancelled: 'Cancelled',
  interrupted: 'Process died',
  unreachable: 'Unreachable',
  upstream: 'Service failed',
  bad_response: 'Bad response',
  too_large: 'Too large',
  unsupported: 'Not supported',
  invalid_output: 'Invalid output',
  all_failed: 'All items failed',
  failed: 'Tool failed',
  internal: 'Bug in the tool',
} as const satisfies Record<FailureKind, string>;

/** The next step for the caller. */
const recoveryWords = {
  fix_input: 'Fix the arguments',
  wait: 'Wait, then try again',
  verify: 'Check before repeating',
  reauth: 'Renew the credential',
  ask_user: 'Ask a person',
  other_tool: 'Use another tool',
  stop: 'Stop',
  see_message: 'Read the message',
} as const satisfies Record<Recovery, string>;

/** Whether the outside world changed before a call failed. */
const effectWords = {
  none: { text: 'Nothing changed', short: 'Nothing changed', tone: 'calm' },
  applied: { text: 'Took effect', short: 'Took effect', tone: 'warn' },
  unknown: { text: 'May have taken effect', short: 'Effect unknown', tone: 'warn' },
} as const satisfies Record<Effect, { text: string; short: string; tone: Tone }>;

/** The meaning of a tool's effects. An unknown value, from a newer server, counts as writing. */
export function effectsWords(effects: string): { readonly text: string; readonly tone: Tone } {
  if (effects === 'none') return { text: 'Read-only', tone: 'calm' };
  if (effects === 'idempotent') return { text: 'Safe to repeat', tone: 'calm' };
  return { text: 'Writes', tone: 'warn' };
}

/** The decision of a guard about a call. */
export const guardWords = {
  passed: 'passed',
  answered: 'answered',
  replaced: 'replaced the result',
  failed: 'failed',
} as const;

/** Says what a kind means; a kind of a newer server is shown as it is. */
export function kindText(kind: string): string {
  return lookUp(kindWords, kind) ?? kind;
}

/** Says what a recovery means; one of a newer server is shown as it is. */
export function recoveryText(recovery: string): string {
  return lookUp(recoveryWords, recovery) ?? recovery;
}

/** Says how a call stands; a status of a newer server is shown as it is. */
export function statusText(status: string): { readonly text: string; readonly tone: Tone } {
  return lookUp(statusWords, status) ?? { text: status, tone: 'calm' };
}

/** Says whether the outside world changed; a word of a newer server counts as a change. */
export function effectText(effect: string): { readonly text: string; readonly short: string; readonly tone: Tone } {
  return lookUp(effectWords, effect) ?? { text: effect, short: effect, tone: 'warn' };
}

function lookUp<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
