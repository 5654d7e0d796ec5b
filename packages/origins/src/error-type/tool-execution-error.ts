import { type FailOptions, ToolFailure } from 'toolpact';
import { kindOfErrorType } from 'toolpact/internal';

/** The six `error.type` values a tool may state at the throw site. Any other string is accepted too. */
export const ToolErrorType = {
  TIMEOUT: 'timeout',
  INTERNAL_SERVER_ERROR: '500',
  BAD_REQUEST: '400',
  UNAUTHORIZED: '401',
  NOT_FOUND: '404',
  UNKNOWN_HOST: 'java.net.UnknownHostException',
} as const;

/** One of the six documented `error.type` values. */
export type ToolErrorType = (typeof ToolErrorType)[keyof typeof ToolErrorType];

/** Options of a `ToolExecutionError`. */
export type ToolExecutionOptions = Omit<FailOptions, 'errorType'> & {
  readonly errorType?: ToolErrorType | (string & {}) | { readonly value: string } | null;
};

/** A failure whose `error.type` may be stated at the throw site, as a text or as a member of an enumeration. */
export class ToolExecutionError extends ToolFailure {
  readonly errorType: string | undefined;

  constructor(message: string, { errorType: stated, ...options }: ToolExecutionOptions = {}) {
    const errorType = String((typeof stated === 'object' ? stated?.value : stated) ?? '');
    super(kindOfErrorType(errorType), message, { ...options, errorType });
    this.errorType = errorType === '' ? undefined : errorType;
  }
}
Object.defineProperty(ToolExecutionError.prototype, 'name', { value: 'ToolExecutionError', configurable: true, writable: true });
