import type { AnyTool, Toolbox } from 'toolpact';
import type { z } from 'zod';

/**
 * How the tools of a run are made. `alone`: as the framework's documentation begins. `key`: with an idempotency key by hand, where the documentation
 * offers one. `toolpact`: the same framework with a toolbox through its adapter. `unsure`: that toolbox, for a service that cannot be asked what
 * became of a payment.
 */
export type Variant = 'alone' | 'key' | 'toolpact' | 'unsure';

/** A framework in the durable or resumable mode that its documentation recommends. Each file in `hosts/` exports one as `host`. */
export interface KillHost {
  readonly title: string;
  /** Its durable mode, and how it is restarted, in one sentence. */
  readonly mode: string;
  /** The page that says so. */
  readonly documentation: string;
  readonly packages: readonly string[];
  /** The folder beside this file that holds its packages, where they are not with those of the others. */
  readonly folder?: string;
  /** Where a key by hand comes from, as its documentation says; absent where it offers none. */
  readonly key?: string;
  /** Whether its runs can wait for a person. */
  readonly asks: boolean;
  readonly needs?: 'postgres' | 'restate';
  /** @default alone, key where there is one, and toolpact */
  readonly variants?: readonly Variant[];
  /** Begins the run in the first life, resumes it in every other; gives its last answer, or nothing where it waits for a person. */
  readonly run: (life: Life) => Promise<string | undefined>;
}

/** One process of a run. */
export interface Life {
  /** From 1. */
  readonly number: number;
  readonly variant: Variant;
  /** Whether a person is asked before the payment, and whether that person has said yes. */
  readonly asks: boolean;
  readonly isApproved: boolean;
  /** The folder that outlives the process. */
  readonly folder: string;
  /** The same unused port in each life. */
  readonly port: number;
  readonly postgres: string;
  readonly restate: { readonly ingress: string; readonly admin: string };
  /** The tools to be written in the framework's own way. */
  readonly tools: readonly KillTool[];
  /** The same tools as a toolbox with a SQLite file. */
  readonly openToolbox: () => Toolbox<readonly AnyTool[]>;
  readonly model: ScriptedModel;
  /** To be told once the question for a person is stored. */
  readonly approvalAsked: () => Promise<void>;
}

export interface KillTool {
  readonly name: 'pay' | 'mail';
  readonly description: string;
  readonly input: z.ZodType<Order>;
  readonly run: (order: Order, key?: string) => Promise<string>;
}

export interface Order {
  readonly invoice: string;
  readonly amount: number;
}

/**
 * A model without a memory of its own: given the results that its prompt holds, it makes its calls or ends. It tries a failed payment once more,
 * unless it was told that the payment may have been made.
 */
export interface ScriptedModel {
  readonly next: (results: readonly string[]) => Promise<Turn>;
}

/** The calls of a turn, with new ids each time, as a real model makes them; or the last text. */
export type Turn =
  | { readonly calls: readonly { readonly id: string; readonly name: 'pay' | 'mail'; readonly args: Order }[]; readonly text?: undefined }
  | { readonly calls?: undefined; readonly text: string };

/** The person's request. */
export const question = 'Pay invoice A-1 of 20 euros.';
