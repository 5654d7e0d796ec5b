import { type Redactor, ToolExecutionError, ToolFailure } from '../../core/outcome/index.ts';

/** An exception as the conventions name its parts. */
export interface ExceptionAttributes {
  readonly 'exception.type': string;
  readonly 'exception.message': string;
  readonly 'exception.stacktrace'?: string;
}

const mostMessage = 2000;
const mostStack = 8000;

/**
 * Describes the exception behind a failure, redacted; undefined when there is none. A `fail` is an answer, thrown or returned, so only
 * the error it was given as its cause counts; a `ToolExecutionError` is an exception.
 */
export function toException(thrown: unknown, redactor: Redactor): ExceptionAttributes | undefined {
  const exception = ToolFailure.isInstance(thrown) && !isToolExecutionError(thrown) ? thrown.options.cause : thrown;
  if (exception === undefined || exception === null) return undefined;
  const read = (key: string): unknown => {
    try {
      return (exception as Record<string, unknown>)[key];
    } catch {
      return undefined;
    }
  };
  if (typeof exception !== 'object') {
    return { 'exception.type': typeof exception, 'exception.message': redactor.text(String(exception).slice(0, mostMessage)) };
  }
  const [type, message, stack] = [read('name'), read('message'), read('stack')];
  return {
    'exception.type': nameOf(type, read('constructor')),
    'exception.message': typeof message === 'string' ? redactor.text(message.slice(0, mostMessage)) : '',
    ...(typeof stack === 'string' && { 'exception.stacktrace': redactor.text(stack.slice(0, mostStack)) }),
  };
}

function isToolExecutionError(failure: ToolFailure): boolean {
  return failure instanceof ToolExecutionError || failure.name === 'ToolExecutionError';
}

/** A class that does not set its name is still more than an `Error`. */
function nameOf(name: unknown, made: unknown): string {
  if (typeof name === 'string' && name !== 'Error' && name !== '') return name.slice(0, 100);
  const own = typeof made === 'function' ? made.name : '';
  return own === '' ? 'Error' : own.slice(0, 100);
}
