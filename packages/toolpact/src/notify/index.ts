export type { Notice, Notifier, Outbox, OutboxOptions } from '../ports/index.ts';
export { defineNotifier, type NotifierOptions } from './define-notifier.ts';
export { type ReadWebhook, readWebhook, type WebhookReading } from './read-webhook.ts';
export { type WebhookOptions, webhook } from './webhook.ts';
