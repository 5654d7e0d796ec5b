import { exitCodes } from './exit-codes.ts';

/** A mistake in the command line, or something missing on this machine: shown as a sentence and its fix, never as a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly fix: string | undefined;
  readonly exitCode: number;

  constructor(message: string, options: { readonly fix?: string | undefined; readonly exitCode?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.fix = options.fix;
    this.exitCode = options.exitCode ?? exitCodes.cannotRun;
  }
}

/** Creates the error for a command line that cannot be understood. */
export function usageError(message: string, fix?: string): CliError {
  return new CliError(message, { fix, exitCode: exitCodes.usage });
}

/** Creates the error for a file or folder that this process cannot write. */
export function cannotWrite(path: string, cause: unknown): CliError {
  const { code } = cause as NodeJS.ErrnoException;
  const why = code === undefined ? '' : ` (${code})`;
  const fix = code === 'EISDIR' ? 'It is a folder; name a file.' : 'Check that the folder exists and that you may write to it.';
  return new CliError(`${path} cannot be written${why}.`, { fix, cause });
}
