import { isObject, isRecord } from '../../json/index.ts';

/** Under this name arguments travel that are no JSON object, because hosts, histories and providers take objects only. */
const carrier = 'unreadable_arguments';

/** Checks whether a text is a JSON object, or nothing at all. */
export function isReadable(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value);
  } catch {
    return false;
  }
}

/** Wraps a text that is no JSON object in an object. */
export function carry(text: string): Readonly<Record<string, string>> {
  return { [carrier]: text };
}

/** Wraps the text that a model sent as arguments in an object, unless it is one already. */
export function toCarried(text: string): string {
  return isReadable(text) ? text : JSON.stringify(carry(text));
}

/** Returns arguments as the model sent them. */
export function fromCarried(args: unknown): unknown {
  return isCarried(args) ? args[carrier] : args;
}

/** Recognises arguments that were no JSON object. */
export function isCarried(args: unknown): args is Readonly<Record<typeof carrier, string>> {
  if (!isObject(args) || Object.keys(args).length !== 1) return false;
  return typeof (args as Record<string, unknown>)[carrier] === 'string';
}
