import type { FailureKind } from '../catalogue.ts';
import type { Redactor } from '../redact.ts';

/** What a message can be made of. */
export interface MessageParts {
  readonly kind: FailureKind;
  readonly retryable: boolean;
  /** The host that was called; undefined when nothing outside was involved or it is not known. */
  readonly host: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly cause: string | undefined;
  /** The foreign text; left out to expose nothing but our own words. */
  readonly text: string | undefined;
}

/** Says in one or two sentences what happened, to what, and what to do next. */
export function failureMessage(parts: MessageParts, redactor: Redactor): string {
  const { kind, retryable, host, status, retryAfterMs, cause } = parts;
  const [remote, local, advice] = sentences[kind];
  if (advice === undefined) return local;
  const lead =
    host === undefined && status === undefined
      ? local
      : remote.replace('{who}', host ?? (remote.startsWith('{') ? 'The service' : 'the service'));
  const text = tellingLine(parts.text, redactor);
  const known = parts.text === undefined || cause === undefined ? undefined : socketErrors[cause];
  const said = known === undefined ? text : `${known} (${cause})`;
  const number = status === undefined ? '' : ` (HTTP ${status})`;
  const what = `${lead}${number}${said === '' ? '' : `: ${said}`}`;
  return `${what}${/[.!?…]$/.test(what) ? '' : '.'} ${retryable ? waitAdvice(retryAfterMs) : advice || useless}`;
}

/** Makes the first line of a foreign text fit to be read by a model: no markup, no path, no secret, at most 300 characters. */
export function tellingLine(raw: string | undefined, redactor: Redactor): string {
  if (raw === undefined) return '';
  const cut = raw.slice(0, 2000);
  if (/<(?:!doctype|html|head|body|title)\b/i.test(cut)) return 'an HTML error page';
  const line = redactor.text(withoutPaths((/\S[^\r\n]*/.exec(cut.replace(controls, '')) ?? [''])[0])).trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

const useless = 'Repeating the same call will not help.';

// [when the other side is known, when it is not, what to do if waiting is no use]; no advice at all: fixed wording.
const sentences: Record<FailureKind, readonly [remote: string, local: string, advice?: string]> = {
  invalid_input: ['{who} rejected the input', 'The input was rejected', 'Change the arguments before trying again.'],
  unknown_tool: ['{who} has no such tool', 'There is no such tool', 'Use one of the listed tools.'],
  not_found: ['{who} did not find what was asked for', 'What was asked for was not found', 'Check the name or id before trying again.'],
  unauthenticated: ['{who} rejected the credential', 'The credential was rejected', 'It must be renewed before this can work.'],
  forbidden: ['{who} does not allow this', 'This is not allowed', 'Ask the user for access or find another way.'],
  denied: ['', 'This was refused by a policy or a person and did not run. Do not repeat it.'],
  conflict: ['{who} reports a conflict', 'This clashes with what is already there', 'Look at the current state and change the arguments.'],
  not_ready: ['{who} is not ready', 'Something this tool needs is not ready', ''],
  not_configured: [
    'A setting of this tool is missing or wrong',
    'A setting of this tool is missing or wrong',
    'An operator has to fix it; repeating will not help.',
  ],
  rate_limited: ['{who} limits requests', 'Too many requests', ''],
  budget_exhausted: [
    '{who} reports that a quota or budget is used up',
    'A quota or budget is used up',
    'Repeating will not help until it is raised.',
  ],
  timeout: ['{who} did not answer in time', 'This took too long', ''],
  cancelled: ['', 'The call was stopped before it finished. Do not repeat it.'],
  interrupted: ['The call was interrupted', 'The call was interrupted', 'Check whether it took effect before doing it again.'],
  unreachable: ['Could not reach {who}', 'Could not reach the service', ''],
  upstream: ['{who} failed', 'The service failed', ''],
  bad_response: ['{who} gave an answer that makes no sense', 'The answer could not be understood', 'Try another tool or other arguments.'],
  too_large: ['{who} says this is too large', 'This is too large', 'Send or ask for less.'],
  unsupported: ['{who} does not offer this', 'This is not supported', 'Use another tool or another way.'],
  invalid_output: ['The tool broke its own output rules', 'The tool broke its own output rules', ''],
  all_failed: ['Every item failed', 'Every item failed', ''],
  internal: ['The tool failed unexpectedly', 'The tool failed unexpectedly', ''],
};

const socketErrors: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host name lookup failed',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to host',
  EPIPE: 'connection closed',
};

function waitAdvice(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined
    ? 'Try again in a moment.'
    : `Wait ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s before trying again.`;
}

// Terminal colours and other control characters; line ends stay for the first line to be found.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const controls = /\u001b\[[\d;]*[A-Za-z]|[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/g;

const quotedPath = /(["'`])(?:file:\/\/|\/|~\/|[A-Za-z]:[\\/]|\\\\)[^"'`\n]*\1/g;
const barePath = /file:\/\/[^\s"'`)]+|(?<![\w:/.])~?(?:\/[\w.@+-]+){2,}\/?|(?<!\w)[A-Za-z]:[\\/][^\s"'`<>|?*]+|\\\\[^\s"'`]+/g;

function withoutPaths(text: string): string {
  if (!/[\\/]/.test(text)) return text;
  return text.replace(quotedPath, (path, quote: string) => `${quote}${baseName(path.slice(1, -1))}${quote}`).replace(barePath, baseName);
}

function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? '[path]';
}
