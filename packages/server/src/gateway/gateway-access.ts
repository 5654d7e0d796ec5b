import type { Gateway } from './create-gateway.ts';

/** What the page shows of a gateway, and does there. */
export type GatewayAccess = Pick<Gateway, 'servers' | 'accept'>;

/** Under which the toolbox of a gateway keeps it. */
export const gatewayKey = Symbol('gateway');

/** Finds the gateway that a toolbox belongs to; undefined where it belongs to none. */
export function gatewayOf(toolbox: object): GatewayAccess | undefined {
  return (toolbox as { readonly [gatewayKey]?: GatewayAccess })[gatewayKey];
}
