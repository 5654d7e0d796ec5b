import { type Finding } from '../../../packages/testing/src/define-check.ts';
import type { AnyTool } from '../../../packages/toolpact/src/runtime/index.ts';
import type { EngineToolbox } from './engine-check.ts';
/** An engine that runs, and how it is ended. */
export interface OpenEngine {
    readonly toolbox: EngineToolbox;
    readonly close?: () => unknown;
}
/**
 * Judges a durable engine, or a store under the `journal` and `idempotency` guards. `open` makes a toolbox of the given tools whose calls run on
 * the engine, with workers in this process. What becomes of calls whose process dies is not judged here: kill one.
 */
export declare function checkEngine(open: (tools: readonly AnyTool[]) => OpenEngine | Promise<OpenEngine>): Promise<readonly Finding[]>;
