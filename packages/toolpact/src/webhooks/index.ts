export type { Notice, Notifier } from '../ports/index.ts';
export { type ReadWebhook, readWebhook } from './read-webhook.ts';
export { type WebhookOptions, webhook } from './webhook.ts';
