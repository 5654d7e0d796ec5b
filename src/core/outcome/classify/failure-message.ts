import type { FailureKind, Recovery } from '../catalogue.ts';
import { nextStep } from '../next-step.ts';
import type { Redactor } from '../redact.ts';

/** What a message can be made of. */
export interface MessageParts {
  readonly kind: FailureKind;
  readonly recovery: Recovery;
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
  const { kind, host, status, cause } = parts;
  const [remote, local] = sentences[kind];
  if (local === undefined) return `${remote} ${nextStep(parts)}`;
  const who = host ?? (remote.startsWith('{') ? 'The service' : 'the service');
  const lead = host === undefined && status === undefined ? local : remote.replace('{who}', who);
  const text = tellingLine(parts.text, redactor);
  const known = parts.text === undefined || cause === undefined ? undefined : socketErrors[cause];
  const said = known === undefined ? text : `${known} (${cause})`;
  const number = status === undefined ? '' : ` (HTTP ${status})`;
  const what = `${lead}${number}${said === '' ? '' : `: ${said}`}`;
  return `${what}${/[.!?…]$/.test(what) ? '' : '.'} ${nextStep(parts)}`;
}

/** Makes the first line of a foreign text fit to be read by a model: no markup, no path, no secret, at most 300 characters. */
export function tellingLine(raw: string | undefined, redactor: Redactor): string {
  if (raw === undefined) return '';
  const cut = raw.slice(0, 2000);
  if (/<(?:!doctype|html|head|body|title)\b/i.test(cut)) return 'an HTML error page';
  const line = redactor.text(withoutPaths((/\S[^\r\n]*/.exec(cut.replace(controls, '')) ?? [''])[0])).trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

// What happened when the other side is known, and when it is not; one sentence alone quotes nobody.
const sentences: Record<FailureKind, readonly [remote: string, local?: string]> = {
  invalid_input: ['{who} rejected the input', 'The input was rejected'],
  unknown_tool: ['{who} has no such tool', 'There is no such tool'],
  not_found: ['{who} did not find what was asked for', 'What was asked for was not found'],
  unauthenticated: ['{who} rejected the credential', 'The credential was rejected'],
  forbidden: ['{who} does not allow this', 'This is not allowed'],
  denied: ['This was refused by a policy or a person and did not run.'],
  conflict: ['{who} reports a conflict', 'This clashes with what is already there'],
  not_ready: ['{who} is not ready', 'Something this tool needs is not ready'],
  not_configured: ['A setting of this tool is missing or wrong', 'A setting of this tool is missing or wrong'],
  rate_limited: ['{who} limits requests', 'Too many requests'],
  budget_exhausted: ['{who} reports that a quota or budget is used up', 'A quota or budget is used up'],
  timeout: ['{who} did not answer in time', 'This took too long'],
  cancelled: ['The call was stopped before it finished.'],
  interrupted: ['The call was interrupted', 'The call was interrupted'],
  unreachable: ['Could not reach {who}', 'Could not reach the service'],
  upstream: ['{who} failed', 'The service failed'],
  bad_response: ['{who} gave an answer that makes no sense', 'The answer could not be understood'],
  too_large: ['{who} says this is too large', 'This is too large'],
  unsupported: ['{who} does not offer this', 'This is not supported'],
  invalid_output: ['The tool broke its own output rules', 'The tool broke its own output rules'],
  all_failed: ['Every item failed', 'Every item failed'],
  internal: ['The tool failed unexpectedly', 'The tool failed unexpectedly'],
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
