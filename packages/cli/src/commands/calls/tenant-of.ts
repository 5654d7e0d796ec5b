import type { Given } from '../command.ts';

/** The tenant that `--tenant` names, as a part of a context. */
export function tenantOf({ flags }: Given): { readonly tenantId?: string } {
  const tenantId = flags.get('tenant') as string | undefined;
  return tenantId === undefined ? {} : { tenantId };
}
