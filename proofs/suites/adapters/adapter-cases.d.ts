import { type FailureKind, type Outcome, type Reply } from '../../../packages/toolpact/src/outcome/index.ts';
import { type AnyTool, type Toolbox } from '../../../packages/toolpact/src/runtime/index.ts';
/** A way for a call to end, and what must be known of it on the other side. */
export interface AdapterCase {
    readonly title: string;
    readonly reply: () => Reply<unknown> | unknown;
    readonly status: 'ok' | 'partial' | 'error' | 'pending';
    readonly kind?: FailureKind;
    readonly code?: string;
    /** Words that the model must read, each of them. */
    readonly words: readonly string[];
    /** Instead of the words, one of these is enough: a block that arrives, or one that is named because the host cannot take it. */
    readonly anyOf?: readonly string[];
}
/** Every kind of failure, by its own code and without, and every other way a call can end. */
export declare const adapterCases: readonly AdapterCase[];
/** The tool that ends as its arguments say. */
export declare const caseTool = "conclude";
/** Makes a toolbox with one tool, whose argument is the title of a case. */
export declare function createCaseToolbox(onEnd?: (outcome: Outcome) => void): Toolbox<readonly AnyTool[]>;
