import { type Effects, typeName, withArticle, wrongType } from '../contract/index.ts';
import { isRecord, repairJson } from '../json/index.ts';
import type { FailureFacts, Redactor } from '../outcome/index.ts';

/** Arguments made an object, or what is wrong with them. */
export type ParsedArguments =
  | { readonly value: object; readonly warning: string | undefined; readonly wrong?: undefined }
  | { readonly wrong: FailureFacts };

/**
 * Reads what a model sent as arguments: an object, or JSON text. Nothing at all means no arguments. Malformed text is repaired only
 * where no meaning is guessed and the tool has no effects; otherwise the answer says where the text breaks.
 */
export function parseArguments(raw: unknown, effects: Effects, redactor: Redactor): ParsedArguments {
  let value: unknown = raw === undefined ? {} : raw;
  let warning: string | undefined;
  // Some models encode their arguments twice; that is unambiguous.
  for (let times = 0; typeof value === 'string' && times < 2; times += 1) {
    const text: string = value;
    try {
      value = text.trim() === '' ? {} : JSON.parse(text);
    } catch {
      const repaired = repairJson(text);
      if (!repaired.ok || effects !== 'none') return { wrong: brokenText(text, repaired, redactor) };
      value = repaired.value;
      warning = `the arguments were repaired: ${repaired.repairs.join(', ') || 'odd spaces'}`;
    }
  }
  if (isRecord(value)) return { value, warning };
  const message = `The arguments must be one JSON object; ${withArticle(typeName(value))} was sent.`;
  return { wrong: { message, issues: [wrongType([], 'an object', value)] } };
}

/** Says where a text stops to be JSON. */
function brokenText(text: string, { at, truncated }: ReturnType<typeof repairJson>, redactor: Redactor): FailureFacts {
  const around = (before: number, after: number): string => text.slice(Math.max(0, at - before), at + after);
  // Half a secret cannot be recognised as one, so where there is one nothing is shown.
  const isClean = redactor.text(around(20_000, 500)) === around(20_000, 500);
  const near = isClean ? ` (near ${JSON.stringify(around(20, 20))})` : '';
  const what = truncated ? `were cut off after ${text.length} characters` : `are not valid JSON at character ${at}${near}`;
  const advice = 'Send one complete JSON object.';
  return { message: `The arguments ${what}.`, advice, details: { position: at }, code: truncated ? 'arguments_truncated' : undefined };
}
