import { type FailureKind } from '../../../packages/toolpact/src/outcome/index.ts';
import { type AnyTool } from '../../../packages/toolpact/src/runtime/index.ts';
/** A way for a call to end, and its form in HTTP. */
export interface ServerCase {
    readonly title: string;
    readonly reply: () => unknown;
    readonly outcome: 'ok' | 'partial' | 'error' | 'pending';
    readonly kind?: FailureKind;
    readonly http: number;
    /** What `Retry-After` says; undefined where it must not be. */
    readonly retryAfter?: string;
}
/** Every kind of failure, those whose status depends on more than their kind, and every other way a call can end. */
export declare const serverCases: readonly ServerCase[];
/** What must not be seen outside: in the message of an error that one of the tools throws, and beside it. */
export declare const secretToken = "sk-proj-Zx81Kq0Vw7Lm3Np5Rt9Uy2";
/** The names of the tools below. */
export declare const caseTools: {
    /** Ends as its arguments say. */
    readonly conclude: 'conclude';
    /** Throws an error that says too much. */
    readonly blurt: 'conclude_blurting';
    /** Returns the context of its call. */
    readonly context: 'conclude_context';
    /** Changes something: counts its runs. */
    readonly count: 'conclude_counting';
};
/** Makes the tools that `checkServer` asks a server to serve; without them it judges only what needs no tool. Guards are the server's own, `idempotency` among them. */
export declare function serverCaseTools(): readonly AnyTool[];
