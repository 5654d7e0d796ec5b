/** Observations of one server. All counts are of calls, unless stated otherwise. */
export interface FieldResult {
  readonly name: string;
  readonly version: string;
  readonly isCutOff: boolean;
  /** Tools listed; with an output schema; with a hint on whether they only read. */
  readonly tools: number;
  readonly withOutput: number;
  readonly withHints: number;
  /** How a call of a tool that is not there is answered. */
  readonly unknownTool: Told;
  /** Calls whose arguments break the schema of the tool: refused, taken as if they were right, or never answered. */
  readonly wrong: { readonly tried: number; readonly refused: number; readonly taken: number; readonly silent: number };
  /** Of the refusals, those that name the field. */
  readonly namesField: number;
  /** Calls whose arguments fit: a result, a flagged error, an error told as success, or no answer. */
  readonly right: {
    readonly tried: number;
    readonly ok: number;
    readonly failed: number;
    readonly hidden: number;
    readonly silent: number;
  };
  /** Answers that show a stack, a path of the machine that nobody gave, or a secret of the environment. */
  readonly leaks: { readonly stack: number; readonly path: number; readonly secret: number };
  /** Results of tools with an output schema: without structured content, or with one that breaks the schema. */
  readonly output: { readonly missing: number; readonly broken: number };
  /** Errors that carry structured content, which a reader may take for a result. */
  readonly structuredErrors: number;
  /** The state of the server after a call was cancelled, and after a line that is no message. */
  readonly afterCancel: 'answers' | 'silent' | 'gone';
  readonly afterJunk: 'answers' | 'silent' | 'gone';
  /** Whether it writes lines on stdout that are no messages. */
  readonly isNoisy: boolean;
  /** The same calls with `toolpact wrap` before the server; undefined for such a measurement itself. */
  readonly wrapped?: Omit<FieldResult, 'findings' | 'examples' | 'wrapped'>;
  /** Findings of `checkTools`: how many tools break each check. */
  readonly findings: Readonly<Record<string, number>>;
  /** One example for each thing that went wrong. */
  readonly examples: Readonly<Record<string, string>>;
}

/** How something was answered. */
export type Told = 'protocol error' | 'error result' | 'success' | 'silence';
