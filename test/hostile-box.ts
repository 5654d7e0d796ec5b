import { afterEach, expect } from 'vitest';
import { z } from 'zod';
import { nextTurn } from '../src/core/time/index.ts';
import { createToolbox, defineTool, type ToolboxOptions } from '../src/index.ts';

/** Keeps failures off the console. */
export const silent: ToolboxOptions = { report: () => undefined };

/** Puts one tool that takes anything, named `act`, into a toolbox. */
export const box = (run: (input: never, context: never) => unknown, more: object = {}, options: ToolboxOptions = silent) =>
  createToolbox(
    [defineTool({ name: 'act', description: 'Acts.', input: z.looseObject({}), effects: 'none', run, ...more } as never)],
    options,
  );

/** Fails each test that leaves a rejection behind, which would end a process. */
export function watchStrays(): void {
  const strays: unknown[] = [];
  process.on('unhandledRejection', (reason) => void strays.push(reason));
  afterEach(async () => {
    await nextTurn();
    expect(strays.splice(0)).toEqual([]);
  });
}
