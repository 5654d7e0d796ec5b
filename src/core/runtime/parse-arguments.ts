import { type Effects, typeName, withArticle, wrongType } from '../contract/index.ts';
import { isObject, repairJson } from '../json/index.ts';
import type { FailureFacts, Redactor } from '../outcome/index.ts';

/** Arguments made an object, or what is wrong with them. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: object; readonly warning?: string | undefined }
  | { readonly ok: false; readonly facts: FailureFacts };

/**
 * Reads what a model sent as arguments: an object, or JSON text. Nothing at all means no arguments. Malformed text is repaired only
 * where no meaning is guessed and the tool has no effects; otherwise the answer says where the text breaks.
 */
export function parseArguments(raw: unknown, effects: Effects, redactor: Redactor): ParsedArguments {
  if (raw === undefined) return { ok: true, value: {} };
  if (typeof raw !== 'string') return asObject(raw);
  const parsed = parseText(raw, effects, redactor);
  // Some models encode their arguments twice; that is unambiguous.
  const value = parsed.ok && typeof parsed.value === 'string' ? parseText(parsed.value, effects, redactor) : parsed;
  if (!value.ok) return value;
  const object = asObject(value.value);
  return object.ok ? { ...object, warning: value.warning } : object;
}

type ParsedText = { ok: true; value: unknown; warning?: string } | { ok: false; facts: FailureFacts };

function parseText(text: string, effects: Effects, redactor: Redactor): ParsedText {
  try {
    return { ok: true, value: text.trim() === '' ? {} : JSON.parse(text) };
  } catch {
    const repaired = repairJson(text);
    if (repaired.ok && effects === 'none')
      return { ok: true, value: repaired.value, warning: `the arguments were repaired: ${repaired.repairs.join(', ') || 'odd spaces'}` };
    const truncated = !repaired.ok && repaired.truncated;
    const at = repaired.ok ? repaired.firstAt : repaired.at;
    const around = (before: number, after: number): string => text.slice(Math.max(0, at - before), at + after);
    // Half a secret cannot be recognised as one, so where there is one nothing is shown.
    const isClean = redactor.text(around(20_000, 500)) === around(20_000, 500);
    const near = isClean ? ` (near ${JSON.stringify(around(20, 20))})` : '';
    const what = truncated ? `were cut off after ${text.length} characters` : `are not valid JSON at character ${at}${near}`;
    const message = `The arguments ${what}. Send one complete JSON object.`;
    return { ok: false, facts: { message, details: { position: at }, code: truncated ? 'arguments_truncated' : undefined } };
  }
}

function asObject(value: unknown): ParsedArguments {
  if (isObject(value) && !Array.isArray(value)) return { ok: true, value };
  const message = `The arguments must be one JSON object; ${withArticle(typeName(value))} was sent.`;
  return { ok: false, facts: { message, issues: [wrongType([], 'an object', value)] } };
}
