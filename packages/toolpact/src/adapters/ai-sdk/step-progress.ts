import type { Progress } from '../../contract/index.ts';
import { isRecord } from '../../json/index.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';

/** Returns what a foreign tool reports on its way as progress: what reads like progress as it is, anything else as a short text. */
export function stepProgress(step: unknown): Progress | string {
  const { message, done, total } = isRecord(step) ? step : {};
  const progress: Progress = {
    ...(typeof message === 'string' && { message }),
    ...(typeof done === 'number' && { done }),
    ...(typeof total === 'number' && { total }),
  };
  return Object.keys(progress).length > 0 ? progress : toPlainText(step).slice(0, 200);
}
