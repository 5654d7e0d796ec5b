import { type AnyTool } from '../../../packages/toolpact/src/runtime/index.ts';
/** The tools that an engine is judged with, and what they did. */
export interface EngineCases {
    readonly tools: readonly AnyTool[];
    /** Counts how often something ran. */
    readonly times: (what: string) => number;
    /** Resolves when something has run. */
    readonly happened: (what: string) => Promise<void>;
}
/** Makes the tools of one trial. They note what they do in this process, so the engine must run them here. */
export declare function createEngineCases(): EngineCases;
