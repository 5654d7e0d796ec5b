import type { Finding } from '@toolpact/testing';
import type { AnyTool } from 'toolpact';
import { expectArgument } from 'toolpact/internal';
import { runChecks } from '../../../packages/testing/src/define-check.ts';
import { createEngineCases } from './engine-cases.ts';
import type { EngineToolbox } from './engine-check.ts';
import { engineChecks } from './engine-checks.ts';

/** An engine that runs, and how it is ended. */
export interface OpenEngine {
  readonly toolbox: EngineToolbox;
  readonly close?: () => unknown;
}

/**
 * Judges a durable engine, or the store of a toolbox. `open` makes a toolbox of the given tools whose calls run on
 * the engine, with workers in this process. What becomes of calls whose process dies is not judged here: kill one.
 */
export async function checkEngine(open: (tools: readonly AnyTool[]) => OpenEngine | Promise<OpenEngine>): Promise<readonly Finding[]> {
  expectArgument(typeof open === 'function', 'checkEngine takes a function that opens an engine with the given tools');
  const cases = createEngineCases();
  const { toolbox, close } = await open(cases.tools);
  try {
    return await runChecks(engineChecks, { toolbox, cases });
  } finally {
    await close?.();
  }
}
