import type { JsonObject, Outcome } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import type { Usage } from './read-answer.ts';

/** A call as a model sent it. */
export interface SentCall {
  readonly id: string | undefined;
  readonly name: string;
  /** An object or JSON text, as the provider gave it. */
  readonly args: unknown;
  /** The group of tools it names, which can only be the application's own. */
  readonly namespace?: string;
  /** Fields that the answer must repeat besides the id. */
  readonly echo?: JsonObject;
}

/** A call as it may stand in a history: under an id of its own, with a name and arguments that the provider takes again. */
export interface SettledCall {
  readonly sent: SentCall;
  readonly id: string | undefined;
  readonly name: string;
  /** Stands in for arguments that are no object; undefined when they are to stay as they were sent. */
  readonly args: JsonObject | undefined;
}

/** A call and what came of it. */
export interface AnsweredCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly echo?: JsonObject | undefined;
  readonly outcome: Outcome;
}

/** A provider's answer, read. */
export interface Turn {
  readonly calls: readonly SentCall[];
  readonly text: string;
  readonly usage: Usage;
  /** Whether it asks for something that only the application can do. */
  readonly isOpen: boolean;
  /** Whether the model is to be asked again though it called nothing, and what it reads then. */
  readonly again?: { readonly tell?: string };
}

/** How one provider's messages are read and written. */
export interface ProviderForm {
  readonly adapter: string;
  /** Whether each call must have an id. */
  readonly needsId: boolean;
  /** Whether optional fields may come filled with null. */
  readonly lifts: boolean;
  /** Reads an answer; throws where it cannot be read. */
  readonly read: (response: unknown) => Turn;
  /** Writes the model's turn; a call that is undefined was a repetition and is left out. */
  readonly toHistory: (response: unknown, calls: readonly (SettledCall | undefined)[]) => object[];
  /** Writes what the calls came to. */
  readonly toAnswers: (answered: readonly AnsweredCall[], turn: Turn, dialect?: ModelDialect) => object[];
}
