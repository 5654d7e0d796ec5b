import { typeName, withArticle, wrongType } from '../contract/index.ts';
import { cutText, isRecord, repairJson, type UncopyableInput } from '../json/index.ts';
import type { FailureFacts, FailureKind, Redactor } from '../outcome/index.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';

/** Why arguments cannot be taken. */
export interface ArgumentsProblem {
  readonly kind: FailureKind;
  readonly facts: FailureFacts;
}

/** Arguments made an object, or what is wrong with them. */
export type ParsedArguments =
  | { readonly value: object; readonly warning: string | undefined; readonly problem?: undefined }
  | { readonly problem: ArgumentsProblem };

/** The facts about a call that decide how its arguments are read. */
interface Reader {
  readonly plan: Pick<ToolPlan, 'effects'>;
  readonly settings: Pick<CallSettings, 'repair' | 'redactor'>;
}

/**
 * Reads what a model sent as arguments: an object, or JSON text. Nothing at all means no arguments. Malformed text is repaired only
 * where no meaning is guessed, the tool has no effects and the toolbox allows it; otherwise the answer says where the text breaks.
 */
export function parseArguments(raw: unknown, { plan, settings: { repair, redactor } }: Reader): ParsedArguments {
  let value: unknown = raw === undefined ? {} : raw;
  let warning: string | undefined;
  // Some models encode their arguments twice; that is unambiguous.
  for (let times = 0; typeof value === 'string' && times < (repair ? 2 : 1); times += 1) {
    const text: string = value;
    try {
      value = text.trim() === '' ? {} : JSON.parse(text);
    } catch {
      const repaired = repairJson(text);
      if (!repaired.ok || !repair || plan.effects !== 'none')
        return { problem: { kind: 'invalid_input', facts: describeBreak(text, repaired, redactor) } };
      value = repaired.value;
      warning = `the arguments were repaired: ${repaired.repairs.length === 0 ? 'odd spaces' : repaired.repairs.join(', ')}`;
    }
  }
  if (isRecord(value)) return { value, warning };
  const message = `The arguments must be one JSON object; ${withArticle(typeName(value))} was sent.`;
  return { problem: { kind: 'invalid_input', facts: { message, issues: [wrongType([], 'an object', value)] } } };
}

/** Describes where a text stops being JSON. */
function describeBreak(text: string, { at, truncated }: ReturnType<typeof repairJson>, redactor: Redactor): FailureFacts {
  const around = (before: number, after: number): string => text.slice(Math.max(0, at - before), at + after);
  // Half a secret cannot be recognised as one, so where there is one nothing is shown.
  const isClean = redactor.text(around(20_000, 500)) === around(20_000, 500);
  const near = isClean ? ` (near ${JSON.stringify(around(20, 20))})` : '';
  const what = truncated ? `were cut off after ${text.length} characters` : `are not valid JSON at character ${at}${near}`;
  const advice = 'Send one complete JSON object.';
  return { message: `The arguments ${what}.`, advice, details: { position: at }, code: truncated ? 'arguments_truncated' : undefined };
}

/** Describes arguments that cannot be copied: that they are too large, with the limit, or that they are nested too deeply or unreadable, with the path. */
export function describeUncopyable({ path, limit }: UncopyableInput, redactor: Redactor): ArgumentsProblem {
  const place = path.map((step) => (typeof step === 'string' ? redactor.text(step) : step));
  const at = place.length === 0 ? '' : ` at ${cutText(place.join('.'), 200)}`;
  if (limit === undefined || limit.of === 'depth') {
    const problem = limit === undefined ? 'cannot be read' : `are nested more than ${limit.max} levels deep`;
    // The first steps of a deep path say where to look; the others repeat them.
    const issue = { path: place.slice(0, 10), problem: 'rule', message: problem } as const;
    return { kind: 'invalid_input', facts: { message: `The arguments${at} ${problem}.`, issues: [issue] } };
  }
  const problem = limit.of === 'keys' ? `${limit.max} fields in one object` : `${limit.max} parts in all`;
  return { kind: 'too_large', facts: { message: `The arguments${at} have more than ${problem}.`, details: { limit: limit.max } } };
}
