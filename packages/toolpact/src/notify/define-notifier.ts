import { refuseOption, refuseOptions } from '../outcome/index.ts';
import type { Notifier } from '../ports/index.ts';
import { createOutbox } from './outbox.ts';

/** Who is told of questions, and how. */
export type NotifierOptions = Pick<Notifier, 'name' | 'send'>;

/**
 * Defines a notifier of your own, for mail, a queue or a chat: `send` is given each notice until it does not reject. `webhook` is one.
 */
export function defineNotifier(options: NotifierOptions): Notifier {
  refuseOptions<NotifierOptions>('defineNotifier', options, { name: true, send: 'a function' });
  const { name, send } = options ?? {};
  if (typeof name !== 'string' || name === '') refuseOption('defineNotifier', 'name', 'a name');
  if (typeof send !== 'function') refuseOption('defineNotifier', 'send', 'a function');
  return Object.freeze({ name, send, createOutbox });
}
