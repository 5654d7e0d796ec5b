import type { EventDraft } from '../events/index.ts';
import type { JsonObject } from '../outcome/index.ts';
import type { Approval } from './approval.ts';
import type { Ledger } from './ledger.ts';

/** Sends notifications about questions to people: `webhook` of `toolpact/notify`, or your own by `defineNotifier`. */
export interface Notifier {
  /** Names it in the store, which keeps by this name what is still to be sent: keep the name, and what waits is sent after a change too. */
  readonly name: string;
  /**
   * Sends one notice. Where it rejects, the notice is sent again later, with growing pauses: the same notice, under the same id. What is thrown
   * may say when (`fail('rate_limited', '…', { retryAfterMs })`), and a `fail(…)` that is not retryable ends the tries.
   */
  readonly send: (notice: Notice, signal: AbortSignal) => Promise<unknown>;
  /** Sends what the store holds for notifiers. It comes with them, so that programs without one do not carry it. */
  readonly createOutbox: (options: OutboxOptions) => Outbox;
}

/** Sends the notices of questions that the store holds. */
export interface Outbox {
  /** Notes for all notifiers what is asked through it, and sends soon what is noted or answered through it. */
  readonly watch: (ledger: Ledger) => Ledger;
  /** Sends what is due; resolves once each try that began has ended. */
  readonly look: () => Promise<void>;
  /** Waits for the tries that are under way. */
  readonly idle: () => Promise<void>;
}

/** Options of an outbox. */
export interface OutboxOptions {
  readonly ledger: Ledger;
  readonly notifiers: readonly Notifier[];
  /** Hides secrets. */
  readonly redact: (text: string) => string;
  /** Hears what cannot be sent, or taken from the store, as `problem` events. */
  readonly emit: (event: EventDraft) => void;
}

/**
 * The notification of a question: that it was asked, or how it was closed. It may come more than once, always under the same `id`; that a question was
 * asked never comes after how it was closed.
 */
export type Notice = ApprovalNotice | InputNotice;

type NoticeFacts = {
  /** Names what is told: the same for every try, and for every recipient. */
  readonly id: string;
  /** When that happened, as an ISO time. */
  readonly timestamp: string;
};

/** That a call waits for an approval, or what became of that. */
export type ApprovalNotice = NoticeFacts & {
  readonly type: 'approval.requested' | 'approval.decided' | 'approval.expired' | 'approval.withdrawn';
  /** The approval as the page shows it. */
  readonly data: Approval & { readonly tenantId?: string };
};

/** That a call asks something in its middle, or what became of that; the answer itself is not told. */
export type InputNotice = NoticeFacts & {
  readonly type: 'input.requested' | 'input.answered' | 'input.expired' | 'input.withdrawn';
  readonly data: AskedInput;
};

/** A question in the middle of a call. Times are epoch milliseconds. */
export type AskedInput = {
  readonly handle: string;
  readonly tool: string;
  /** The id of the call. */
  readonly call: string;
  readonly question: string;
  /** The JSON Schema of the answer. */
  readonly schema?: JsonObject;
  readonly state: 'waiting' | 'answered' | 'expired' | 'withdrawn';
  readonly requestedAt: number;
  readonly expiresAt?: number;
  readonly decidedAt?: number;
  readonly by?: string;
  readonly tenantId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly runId?: string;
};
