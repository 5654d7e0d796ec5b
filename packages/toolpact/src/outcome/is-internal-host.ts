const internalHosts: readonly RegExp[] = [
  /^localhost$|\.(?:localhost|local|internal|lan|home|corp|svc)$|^[^.:[\]]+$/,
  /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^\[(?:::|f[cd]|fe[89ab])/,
];

/** Recognises private addresses and names; it does not look up the address of a public name. */
export function isInternalHost(hostname: string): boolean {
  return internalHosts.some((pattern) => pattern.test(hostname));
}
