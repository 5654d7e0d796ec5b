import { isRecord, peek } from '../json/index.ts';
import { refuseOptions, ToolpactError } from '../outcome/index.ts';
import type { Notice } from '../ports/index.ts';
import { isSigned, readSecrets } from './signature.ts';

/** A message that was signed with the secret. */
export type ReadWebhook = Notice & { readonly data: { readonly link?: string } };

/** How a message is verified. */
export interface WebhookReading {
  /** The secret of the webhook; several while it changes. */
  readonly secret: string | readonly string[];
}

/** How old a message may be: an older one may have been recorded. */
const oldestMs = 300_000;

/**
 * Reads a message of a {@link webhook} at its receiver; undefined where its signature is wrong, or it is older than five minutes. The same message
 * may come more than once: its `id` says so.
 */
export async function readWebhook(request: Request, options: WebhookReading): Promise<ReadWebhook | undefined> {
  if (typeof peek(request, 'text') !== 'function')
    throw new ToolpactError('invalid_argument', 'readWebhook takes the request as a Request', { argument: 'request' });
  refuseOptions<WebhookReading>('readWebhook', options, { secret: true });
  const keys = readSecrets('readWebhook', options?.secret);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => request.headers.get(`webhook-${name}`) ?? '');
  const body = await request.text();
  const age = Math.abs(Date.now() - Number(timestamp) * 1000);
  if (id === undefined || id === '' || !timestamp || !signatures || !(age <= oldestMs)) return undefined;
  if (!(await isSigned(keys, signatures, { id, timestamp, body }))) return undefined;
  try {
    const message: unknown = JSON.parse(body);
    return isRecord(message) ? ({ id, ...message } as unknown as ReadWebhook) : undefined;
  } catch {
    return undefined;
  }
}
