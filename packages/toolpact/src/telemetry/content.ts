import { isRecord } from '../json/index.ts';
import type { JsonObject, JsonValue, Redactor } from '../outcome/index.ts';

/** Where arguments and results may be written: nowhere, on the span, on a log record, or on both. */
export type Capture = 'none' | 'span' | 'event' | 'both';

/** How captured content is made harmless. */
export interface ContentRules {
  readonly redactor: Redactor;
  /** A last word on what is written, after the redactor. */
  readonly redact: ((content: JsonObject, what: 'arguments' | 'result') => JsonObject) | undefined;
  readonly maxChars: number;
}

const byName: Readonly<Record<string, Capture>> = {
  no_content: 'none',
  span_only: 'span',
  event_only: 'event',
  span_and_event: 'both',
  true: 'span',
};

/** Reads what the environment asks for; for an unknown value nothing is captured. */
export function captureFromEnv(env: Readonly<Record<string, string | undefined>>): Capture {
  return byName[env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.trim().toLowerCase() ?? ''] ?? 'none';
}

/** Makes content fit to be written: an object, redacted, and never longer than allowed. */
export function toContent(value: unknown, what: 'arguments' | 'result', rules: ContentRules): JsonObject {
  const clean = toObject(rules.redactor.value(value), what);
  const last = rules.redact === undefined ? clean : redacted(clean, what, rules.redact);
  const text = JSON.stringify(last);
  return text.length <= rules.maxChars ? last : toHead(text, rules.maxChars);
}

/** Shows how content begins. Quoting makes it longer, so that what is too much is taken off until it fits. */
function toHead(text: string, maxChars: number): JsonObject {
  let head = text.slice(0, Math.max(0, maxChars));
  for (;;) {
    const content = { truncated: true, characters: text.length, head };
    const tooMuch = JSON.stringify(content).length - maxChars;
    if (!(tooMuch > 0) || head === '') return content;
    head = head.slice(0, -Math.max(1, Math.floor(tooMuch / 2)));
  }
}

/** Where the redaction fails, or gives something that is not JSON, nothing is captured. */
function redacted(content: JsonObject, what: 'arguments' | 'result', redact: NonNullable<ContentRules['redact']>): JsonObject {
  try {
    return toObject(JSON.parse(JSON.stringify(redact(content, what))) as JsonValue, what);
  } catch {
    return {};
  }
}

/** The conventions require an object; any other value is wrapped in one. */
function toObject(value: JsonValue, what: 'arguments' | 'result'): JsonObject {
  if (isRecord(value)) return value as JsonObject;
  return { [what]: value };
}
