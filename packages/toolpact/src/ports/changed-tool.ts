import { fail, type ToolFailure } from '../outcome/index.ts';

/** Creates the failure of a call whose tool has changed since it began: it goes another way than the one that is recorded. */
export function changedTool(tool: string, step: string): ToolFailure {
  return fail('conflict', `${tool} has changed since it began: the step "${step}" is recorded, and was not asked for again.`);
}
