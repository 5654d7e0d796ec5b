import { BlockList, isIP } from 'node:net';

// The IPv4 ranges that are registered as special, and one public address that answers only inside a cloud.
const closed4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

// Within the one range that is routed. Some of these carry an IPv4 address inside, which would be reached in the end.
const closed6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const specialIn4 = blockList('ipv4', closed4);
const routedIn6 = blockList('ipv6', [['2000::', 3]]);
const specialIn6 = blockList('ipv6', closed6);

/**
 * Checks whether an IP address belongs to the public internet. For IPv6 only the routed range counts, so that loopback, link-local,
 * unique-local, multicast, and every way to write an IPv4 address in an IPv6 one are all outside.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialIn4.check(address, 'ipv4');
  if (family !== 6) return false;
  // A zone names a link of this machine.
  return !address.includes('%') && routedIn6.check(address, 'ipv6') && !specialIn6.check(address, 'ipv6');
}

function blockList(family: 'ipv4' | 'ipv6', networks: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}
