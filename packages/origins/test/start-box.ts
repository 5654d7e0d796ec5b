import { type AnyTool, createToolbox, type ToolboxOptions } from 'toolpact';

/** Makes a toolbox whose failures are not printed. */
export function quietBox<const TTools extends readonly AnyTool[]>(tools: TTools, options: ToolboxOptions = {}) {
  return createToolbox(tools, { ...options, report: () => undefined });
}

/** Throws, as a handler does. */
export function raise(error: unknown): never {
  throw error;
}
