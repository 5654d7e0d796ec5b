/** The signs of a host and its tools to the payment service. The process can be killed at each of them. */
export type Sign = 'model decides' | 'pay begins' | 'paid' | 'pay answered' | 'approval asked' | 'mail begins';

/** A moment at which a process is killed, or the answer of the service is lost. */
export interface Moment {
  readonly about: string;
  /** The sign at which each process in turn is killed; `any` is the first sign that a process gives. */
  readonly kills: readonly (Sign | 'any')[];
  /** Whether a person is asked before the payment. */
  readonly asks?: boolean;
  /** Whether the model calls a second tool in the same turn. */
  readonly mails?: boolean;
  /** Whether the service pays once without an answer; the process lives. */
  readonly losesAnswer?: boolean;
}

export const moments = {
  'before-tool': { about: 'the model has decided, the tool has not begun', kills: ['model decides'] },
  'before-payment': { about: 'in the tool, before the payment', kills: ['pay begins'] },
  'after-payment': { about: 'the service has paid, its answer has not arrived', kills: ['paid'] },
  'after-answer': { about: 'the tool has the answer, the host has not recorded it', kills: ['pay answered'] },
  'between-tools': { about: 'the first of two tools of a turn has ended, the second begins', kills: ['mail begins'], mails: true },
  'during-resume': { about: 'after the payment, and again at the first sign of the process that resumes', kills: ['paid', 'any'] },
  'at-approval': { about: 'a person is asked, and has not answered', kills: ['approval asked'], asks: true },
  'after-approval': { about: 'a person approved; the service has paid, its answer has not arrived', kills: ['paid'], asks: true },
  'answer-lost': { about: 'no kill: the service pays and the connection breaks', kills: [], losesAnswer: true },
} as const satisfies Record<string, Moment>;

export type MomentName = keyof typeof moments;
