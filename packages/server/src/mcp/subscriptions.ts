import { hash } from 'node:crypto';
import { messagesOf } from './messages-of.ts';

/** The resources that one client wants to hear about. */
export interface ClientSubscriptions {
  /** Takes note of what a body subscribes to or gives up. */
  readonly track: (body: unknown) => void;
  readonly has: (uri: string) => boolean;
  readonly clear: () => void;
}

/** The most resources that one client, and all clients together, may subscribe to. A subscription is kept as a hash of 44 characters. */
const maxSubscriptions = 1_000;
const maxSubscriptionsInAll = 50_000;
/** Longer addresses are not tracked: no resource has one. */
const longestUri = 8_192;

/**
 * Creates the keeper of the subscriptions of clients, within one limit for all. Subscriptions are answered by the server that offers the
 * resources; they are known here too, so that changes can be announced.
 */
export function createSubscriptions(): () => ClientSubscriptions {
  let total = 0;
  return () => {
    // Hashes, because an address may be as long as a body.
    const subscribed = new Set<string>();
    return {
      track(body) {
        for (const { method, params } of messagesOf(body)) {
          if (method !== 'resources/subscribe' && method !== 'resources/unsubscribe') continue;
          const { uri } = (params ?? {}) as { uri?: unknown };
          if (typeof uri !== 'string' || uri.length > longestUri) continue;
          const before = subscribed.size;
          if (method === 'resources/unsubscribe') subscribed.delete(hashOf(uri));
          else if (before < maxSubscriptions && total < maxSubscriptionsInAll) subscribed.add(hashOf(uri));
          total += subscribed.size - before;
        }
      },
      has: (uri) => subscribed.has(hashOf(uri)),
      clear() {
        total -= subscribed.size;
        subscribed.clear();
      },
    };
  };
}

function hashOf(uri: string): string {
  return hash('sha256', uri, 'base64');
}
