import type { CallContext } from '../contract/index.ts';
import type { EventDraft } from '../events/index.ts';
import type { Failure, JsonValue, Outcome } from '../outcome/index.ts';
import type { GuardedTool } from './guarded-call.ts';

/** A toolbox as the methods of its guards see it. */
export interface GuardedToolbox {
  /** The context that the toolbox is bound to. */
  readonly context: CallContext;
  readonly find: (name: string) => GuardedTool | undefined;
  /** Makes a call, through all guards. */
  readonly answer: (
    call: { readonly name: string; readonly args?: unknown; readonly callId?: string },
    context?: CallContext,
  ) => Promise<Outcome>;
  /** Turns what a tool might have returned (data, a reply, a failure) into its checked outcome, without running it and with only those guards that conclude. */
  readonly toOutcome: (tool: string, args: unknown, returned: unknown, context?: CallContext) => Promise<Outcome>;
  /** Works out what a call would do, like {@link GuardedCall.preview}. */
  readonly preview: (tool: string, args: unknown, context?: CallContext) => Promise<Outcome | undefined>;
  /** Checks arguments as a call would, without making it: gives them as checked, or why they may not run. Undefined where the tool is not here. */
  readonly checkArguments: (
    tool: string,
    args: unknown,
    context?: CallContext,
  ) => Promise<{ readonly input: unknown } | { readonly refusal: Failure } | undefined>;
  /** Hides secrets in a value and makes it JSON. */
  readonly redactValue: (value: unknown) => JsonValue;
  /** Hides secrets in a text. */
  readonly redact: (text: string, whole?: boolean) => string;
  readonly emit: (event: EventDraft) => void;
}
