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
  const { kind, host, status } = parts;
  let what = sentences[kind] ?? sentences.internal;
  // What ends in a full stop is all there is to say.
  if (!what.endsWith('.')) {
    const where = status === undefined ? host : `${host === undefined ? '' : `${host}, `}HTTP ${status}`;
    const known = parts.text === undefined ? undefined : socketErrors[parts.cause ?? ''];
    const said = known === undefined ? tellingLine(parts.text, redactor) : `${known} (${parts.cause})`;
    if (where !== undefined) what += ` (${where})`;
    if (said !== '') what += `: ${said}`;
    if (!'.!?…'.includes(what.slice(-1))) what += '.';
  }
  return `${what} ${nextStep(parts)}`;
}

// The other kinds are never read out of an error.
const sentences: Partial<Record<FailureKind, string>> & { internal: string } = {
  invalid_input: 'The input was rejected',
  not_found: 'What was asked for was not found',
  unauthenticated: 'The credential was rejected',
  forbidden: 'This is not allowed',
  denied: 'This was refused by a policy or a person and did not run.',
  conflict: 'This clashes with what is already there',
  not_ready: 'Something this tool needs is not ready',
  not_configured: 'A setting of this tool is missing or wrong',
  rate_limited: 'Too many requests',
  budget_exhausted: 'A quota or budget is used up',
  timeout: 'This took too long',
  cancelled: 'The call was stopped before it finished.',
  unreachable: 'The service could not be reached',
  upstream: 'The service failed',
  bad_response: 'The answer could not be understood',
  too_large: 'This is too large',
  unsupported: 'This is not supported',
  internal: 'The tool failed unexpectedly',
};

// What clients wrap in "fetch failed" and the like.
const socketErrors: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'host not found',
  ETIMEDOUT: 'connection timed out',
};

/** Makes the first line of a foreign text fit to be read by a model: no markup, no path, no query, no secret, at most 300 characters. */
function tellingLine(raw: string | undefined, redactor: Redactor): string {
  if (raw === undefined) return '';
  const cut = raw.slice(0, 2000);
  if (plainLine.test(cut)) return redactor.text(cut);
  if (/<(?:!doctype|html|head|body|title)\b/i.test(cut)) return 'an HTML error page';
  const [line = ''] = /\S[^\r\n]*/.exec(cut.replace(controls, '')) ?? [];
  const clean = redactor.text(/[\\/?]/.test(line) ? withoutPaths(line) : line).trim();
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}

// Most messages need no cleaning but for secrets.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const plainLine = /^[^\s\0-\x1f\x7f<\\/?][^\0-\x1f\x7f<\\/?]{0,298}$/;

// Terminal colours and other control characters; line ends stay for the first line to be found.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const controls = /\x1b\[[\d;]*[A-Za-z]|[\0-\t\v\f\x0e-\x1f\x7f]/g;

const path =
  /(["'`])(?:file:\/\/|~?\/|[A-Za-z]:[\\/]|\\\\)[^"'`\n]*\1|file:\/\/[^\s"'`)]+|(?<![\w:/.])~?(?:\/[\w.@+-]+){2,}\/?|(?<!\w)[A-Za-z]:[\\/][^\s"'`<>|?*]+|\\\\[^\s"'`]+/g;

/** Leaves the last name of every path and nothing of a query. */
function withoutPaths(text: string): string {
  return text
    .replace(path, (found, quote = '') => `${quote}${/([^\\/"'`]*)[\\/"'`]*$/.exec(found)?.[1] || '[path]'}${quote}`)
    .replace(/\?[\w.-]+=[^\s"'`)]*/g, '');
}
