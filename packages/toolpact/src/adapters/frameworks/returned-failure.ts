import { toReadFailure } from '../../classify/index.ts';
import { isRecord } from '../../json/index.ts';
import type { JsonValue, ToolFailure } from '../../outcome/index.ts';

/**
 * Recognises a result by which a tool says that it failed instead of throwing: an object with an `error`, with `status: 'error'`, or with
 * `success: false`. Its `error_code`, or else `TOOL_ERROR`, becomes the `error.type`.
 */
export function returnedFailure(result: unknown): ToolFailure | undefined {
  if (!isRecord(result)) return undefined;
  const { error, status, success, message, error_code: code } = result;
  const isFailed = (error !== undefined && error !== null && error !== false && error !== '') || status === 'error' || success === false;
  if (!isFailed) return undefined;
  const stated = [error, isRecord(error) ? error.message : undefined, message].find((text) => typeof text === 'string' && text !== '');
  return toReadFailure(isRecord(error) ? error : result, typeof stated === 'string' ? stated : 'The tool returned an error.', {
    errorType: typeof code === 'string' && code !== '' ? code : 'TOOL_ERROR',
    data: result as JsonValue,
  });
}
