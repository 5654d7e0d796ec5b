import { fail, refuseOption, refuseOptions } from '../outcome/index.ts';
import type { Notice, Notifier } from '../ports/index.ts';
import { defineNotifier } from './define-notifier.ts';
import { readSecrets, sign } from './signature.ts';

/** Where notices are sent, and how they are signed. */
export interface WebhookOptions {
  /** Takes the notices, as POST. Redirects are not followed. */
  readonly url: string;
  /**
   * Signs each message: "whsec_" and 24 to 64 random bytes as base64. Several sign at once, for as long as the receiver changes from one to the
   * next.
   */
  readonly secret: string | readonly string[];
  /** Names it in the store, where another one has the same host. @default the host of `url` */
  readonly name?: string;
  /** The address of the inspector, for the link in each message: `https://tools.example.com/inspector`. @default no link */
  readonly page?: string;
}

/**
 * Sends notices of questions to a web address, as Standard Webhooks says. The receiver has to answer 2xx; 410 ends the tries for a message,
 * anything else, and no answer within 15 seconds, is tried again with the same `webhook-id`.
 */
export function webhook(options: WebhookOptions): Notifier {
  refuseOptions<WebhookOptions>('webhook', options, { url: true, secret: true, name: true, page: true });
  const { url: address, secret, page, name: ownName } = options ?? {};
  const url = readAddress('url', address);
  const inspector = page === undefined ? undefined : readAddress('page', page);
  const name = ownName ?? url.host;
  if (typeof name !== 'string' || name === '') refuseOption('webhook', 'name', 'a name');
  const keys = readSecrets('webhook', secret);
  // Kept apart from the address: an error of `fetch` may name that, and it may hold a token.
  const place = url.host;
  return defineNotifier({
    name,
    async send({ id, ...notice }, signal) {
      const body = JSON.stringify(inspector === undefined ? notice : withLink(notice, inspector));
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'toolpact',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': await sign(keys, { id, timestamp, body }),
      };
      const { status, headers: answered, body: rest } = await ask(url, place, { method: 'POST', headers, body, signal });
      // The rest of the answer is of no interest, however long it is.
      await rest?.cancel().catch(() => undefined);
      if (status >= 200 && status < 300) return;
      if (status === 410) throw fail('not_found', `${place} no longer accepts webhooks (410)`);
      const retryAfterMs = toMs(answered.get('retry-after'));
      if (retryAfterMs !== undefined) throw fail('rate_limited', `${place} answered ${status}`, { retryAfterMs });
      throw new Error(
        status >= 300 && status < 400 ? `${place} redirects (${status}), which is not followed` : `${place} answered ${status}`,
      );
    },
  });
}

async function ask(url: URL, place: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, redirect: 'manual' });
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    throw new Error(`${place} cannot be reached${cause?.code === undefined ? '' : ` (${cause.code})`}`, { cause: error });
  }
}

function withLink(notice: Omit<Notice, 'id'>, page: URL): object {
  const { data } = notice;
  const call = 'call' in data ? data.call : data.invocationId;
  const folder = page.href.endsWith('/') ? page.href : `${page.href}/`;
  return { ...notice, data: { ...data, link: `${folder}#/calls/${encodeURIComponent(call)}` } };
}

/** Reads the seconds of `retry-after`; a date says too little to be worth its clock. */
function toMs(seconds: string | null): number | undefined {
  return seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function readAddress(option: string, value: unknown): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return refuseOption('webhook', option, 'a web address (http or https) without a password in it');
  return url;
}
