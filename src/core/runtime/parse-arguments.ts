import { type Effects, typeName } from '../contract/index.ts';
import type { FailureFacts, Issue, JsonObject, Redactor } from '../outcome/index.ts';
import { repairJson } from './repair-json.ts';

/** Arguments made an object, or what is wrong with them. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: object; readonly warning?: string }
  | { readonly ok: false; readonly facts: FailureFacts };

/**
 * Reads what a model sent as arguments: an object, or JSON text. Nothing at all means no arguments. Malformed text is repaired only
 * where no meaning is guessed and the tool has no effects; otherwise the answer says where the text breaks.
 */
export function parseArguments(raw: unknown, effects: Effects, redactor: Redactor): ParsedArguments {
  if (raw === undefined) return { ok: true, value: {} };
  if (typeof raw !== 'string') return asObject(raw);
  if (raw.trim() === '') return { ok: true, value: {} };
  const parsed = parseText(raw, effects, redactor);
  // Some models encode their arguments twice; that is unambiguous.
  const value = parsed.ok && typeof parsed.value === 'string' ? parseText(parsed.value, effects, redactor) : parsed;
  if (!value.ok) return value;
  const object = asObject(value.value);
  return object.ok && value.warning !== undefined ? { ...object, warning: value.warning } : object;
}

type ParsedText = { ok: true; value: unknown; warning?: string } | { ok: false; facts: FailureFacts };

function parseText(text: string, effects: Effects, redactor: Redactor): ParsedText {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const repaired = repairJson(text);
    if (repaired.ok && effects === 'none')
      return { ok: true, value: repaired.value, warning: `the arguments were repaired: ${repaired.repairs.join(', ')}` };
    const truncated = !repaired.ok && repaired.truncated;
    const at = repaired.ok ? repaired.firstAt : repaired.at;
    const near = redactor
      .text(text.slice(Math.max(0, at - 60), at + 60))
      .slice(-80)
      .slice(0, 40);
    const what = truncated
      ? `were cut off after ${text.length} characters`
      : `are not valid JSON at character ${at} (near ${JSON.stringify(near)})`;
    const details: JsonObject = { position: at };
    const code = truncated ? { code: 'arguments_truncated' } : {};
    return { ok: false, facts: { message: `The arguments ${what}. Send one complete JSON object.`, details, ...code } };
  }
}

function asObject(value: unknown): ParsedArguments {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, value };
  const received = typeName(value);
  const issue: Issue = { path: [], problem: 'type', expected: 'an object', received, message: `expected an object, received ${received}` };
  const article = received === 'array' ? 'an array' : received === 'null' ? 'null' : `a ${received}`;
  return { ok: false, facts: { message: `The arguments must be one JSON object; ${article} was sent. Send an object.`, issues: [issue] } };
}
