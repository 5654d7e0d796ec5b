import type { Gateway } from './create-gateway.ts';

/** The part of a gateway that the page shows and uses. */
export type GatewayAccess = Pick<Gateway, 'servers' | 'accept'>;

/** Under which the toolbox of a gateway keeps it. */
export const gatewayKey = Symbol('gateway');

/** Finds the gateway that a toolbox belongs to; undefined where it belongs to none. */
export function gatewayOf(toolbox: object): GatewayAccess | undefined {
  return (toolbox as { readonly [gatewayKey]?: GatewayAccess })[gatewayKey];
}
