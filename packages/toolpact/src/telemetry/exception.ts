import { type Redactor, ToolFailure } from '../outcome/index.ts';

/** An exception as the conventions name its parts. */
export interface ExceptionAttributes {
  readonly 'exception.type': string;
  readonly 'exception.message': string;
  readonly 'exception.stacktrace'?: string;
}

const maxName = 100;
const maxMessage = 2000;
const maxStack = 8000;
const margin = 500;

/**
 * Describes the exception behind a failure, redacted; undefined when there is none. A `fail` is an answer, thrown or returned, so only
 * the error it was given as its cause counts; a failure of a class of its own is an exception.
 */
export function toException(thrown: unknown, redactor: Redactor): ExceptionAttributes | undefined {
  const isAnswer = isToolFailure(thrown) && read(thrown, 'name') === 'ToolFailure';
  const exception = isAnswer ? read(thrown, 'cause') : thrown;
  if (exception === undefined || exception === null) return undefined;
  if (typeof exception !== 'object') {
    return { 'exception.type': typeof exception, 'exception.message': cut(String(exception), maxMessage, redactor) };
  }
  const [type, message, stack] = ['name', 'message', 'stack'].map((key) => read(exception, key));
  return {
    'exception.type': cut(nameOf(type, read(exception, 'constructor')), maxName, redactor),
    'exception.message': typeof message === 'string' ? cut(message, maxMessage, redactor) : '',
    ...(typeof stack === 'string' && { 'exception.stacktrace': cut(stack, maxStack, redactor) }),
  };
}

/** Cuts only after redacting, so that no half of a secret is left unrecognised at the end. */
function cut(text: string, most: number, redactor: Redactor): string {
  const clean = redactor.text(text.slice(0, most + margin));
  // Redacting may have drawn the cut into view.
  return clean.slice(0, text.length <= most + margin ? most : Math.max(0, Math.min(most, clean.length - margin)));
}

/** Recognises what `fail` makes, in anything that can be thrown. */
export function isToolFailure(thrown: unknown): thrown is ToolFailure {
  try {
    return ToolFailure.isInstance(thrown);
  } catch {
    return false;
  }
}

function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** A class that does not set its name is still more than an `Error`. */
function nameOf(name: unknown, made: unknown): string {
  if (typeof name === 'string' && name !== 'Error' && name !== '') return name;
  const own = typeof made === 'function' ? read(made, 'name') : undefined;
  return typeof own === 'string' && own !== '' ? own : 'Error';
}
