import { type FailOptions, ToolFailure } from '../outcome/index.ts';
import { classify } from './classify.ts';

/**
 * Creates a failure of what another system said. Its kind is read from that, not stated by an author, so a refusal is no evidence that
 * nothing was done.
 */
export function toReadFailure(said: unknown, message: string, options?: FailOptions): ToolFailure {
  return Object.assign(new ToolFailure(classify(said).kind, message, options), { isRead: true });
}
