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
    const value =
      call.lease?.get(wanted) ??
      Promise.reject(new ToolFailure('not_configured', 'The tool needs a resource, but its toolbox has no `resources`.'));
    // A tool that does not wait for what it asked for must not end the process.
    takePromise(value);
    return value as Promise<never>;
  };
}
