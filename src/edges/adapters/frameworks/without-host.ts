import { fail, type ToolFailure } from '../../../core/outcome/index.ts';

/** Makes the failure of a tool that asks for something that only a run of its own framework can give, for example `an interrupt`. */
export function withoutHost(what: string, host: string, cause?: unknown): ToolFailure {
  return fail('unsupported', `The tool asks for ${what}, which only a run of ${host} can give.`, { ...(cause !== undefined && { cause }) });
}
