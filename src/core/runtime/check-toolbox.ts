import { peek } from '../json/index.ts';
import { ToolpactError } from '../outcome/index.ts';

/** Throws unless a value can be used as a toolbox. Most often an array of tools, or one tool, is given in its place. */
export function checkToolbox(what: string, toolbox: unknown): void {
  if (typeof peek(toolbox, 'list') !== 'function')
    throw new ToolpactError('invalid_argument', `${what} takes a toolbox: createToolbox([…])`, { argument: 'toolbox' });
}
