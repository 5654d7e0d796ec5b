import type { RunContext } from '../contract/index.ts';
import { takePromise } from '../json/index.ts';
import { ToolFailure } from '../outcome/index.ts';
import type { ResourceLease, ResourceUser } from '../ports/index.ts';
import type { CallSettings } from './tool-plan.ts';

/** Makes the `resource` of a running tool; the first one asked for begins the call's lease. */
export function resourceOf(
  call: ResourceUser & { lease: ResourceLease | undefined; readonly settings: CallSettings },
): RunContext['resource'] {
  return (wanted: string | { readonly type: string }): Promise<never> => {
    call.lease ??= call.settings.resources?.lease(call);
    const value = call.lease?.get(wanted) ?? Promise.reject(noResources(wanted));
    // A tool that does not wait for what it asked for must not end the process.
    takePromise(value);
    return value as Promise<never>;
  };
}

function noResources(wanted: string | { readonly type: string }): ToolFailure {
  const type = typeof wanted === 'string' ? wanted : wanted.type;
  return new ToolFailure('not_configured', `The tool needs the resource "${type}", but its toolbox has no \`resources\`.`);
}
