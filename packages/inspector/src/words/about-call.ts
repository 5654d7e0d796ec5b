import type { ListedCall, ProgressNews } from '../api/api-shapes.ts';

/** Says in a line what a call is about: why it failed, or else what it was asked. */
export function aboutCall({ status, message, preview }: Pick<ListedCall, 'status' | 'message' | 'preview'>): string {
  return (status === 'error' || status === 'partial' ? (message ?? preview) : (preview ?? message)) ?? '';
}

/** Says in a line how far a running call is. */
export function progressText({ message, done, total }: Omit<ProgressNews, 'id' | 'tool'>): string {
  const share = done === undefined ? '' : total ? `${done} of ${total}` : String(done);
  return [message, share].filter(Boolean).join(', ');
}
