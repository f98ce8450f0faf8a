/** A block of addresses that are not public. */
export interface SpecialRange {
  cidr: string
  name: string
  source: string
}

/**
 * IPv4 addresses that are never called: the IANA IPv4 Special-Purpose Address Registry (RFC 6890, as of 2025), whether
 * globally reachable or not, multicast (RFC 5771), and the public address on which Azure serves its own machines.
 */
export const specialIpv4: readonly SpecialRange[] = [
  { cidr: '0.0.0.0/8', name: 'this network', source: 'RFC 791' },
  { cidr: '10.0.0.0/8', name: 'private use', source: 'RFC 1918' },
  { cidr: '100.64.0.0/10', name: 'shared address space', source: 'RFC 6598' },
  { cidr: '127.0.0.0/8', name: 'loopback', source: 'RFC 1122' },
  { cidr: '168.63.129.16/32', name: 'cloud platform service', source: 'Azure virtual public IP' },
  { cidr: '169.254.0.0/16', name: 'link local', source: 'RFC 3927' },
  { cidr: '172.16.0.0/12', name: 'private use', source: 'RFC 1918' },
  { cidr: '192.0.0.0/24', name: 'protocol assignments', source: 'RFC 6890' },
  { cidr: '192.0.2.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '192.31.196.0/24', name: 'AS112', source: 'RFC 7535' },
  { cidr: '192.52.193.0/24', name: 'automatic multicast tunneling', source: 'RFC 7450' },
  { cidr: '192.88.99.0/24', name: '6to4 relay anycast', source: 'RFC 7526' },
  { cidr: '192.168.0.0/16', name: 'private use', source: 'RFC 1918' },
  { cidr: '192.175.48.0/24', name: 'AS112', source: 'RFC 7534' },
  { cidr: '198.18.0.0/15', name: 'benchmarking', source: 'RFC 2544' },
  { cidr: '198.51.100.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '203.0.113.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '224.0.0.0/4', name: 'multicast', source: 'RFC 5771' },
  { cidr: '255.255.255.255/32', name: 'broadcast', source: 'RFC 919' },
  { cidr: '240.0.0.0/4', name: 'reserved', source: 'RFC 1112' },
]

/** The only IPv6 block with public unicast addresses (IANA IPv6 Global Unicast Address Assignments). */
export const globalIpv6 = '2000::/3'

/**
 * IPv6 addresses that are never called. Those outside 2000::/3 are rejected anyway and are listed only to name them in
 * the error. Source: IANA IPv6 Special-Purpose Address Registry (RFC 6890, as of 2025) and the IPv6 addressing
 * architecture (RFC 4291).
 */
export const specialIpv6: readonly SpecialRange[] = [
  { cidr: '::/128', name: 'unspecified', source: 'RFC 4291' },
  { cidr: '::1/128', name: 'loopback', source: 'RFC 4291' },
  { cidr: '::ffff:0:0/96', name: 'IPv4-mapped', source: 'RFC 4291' },
  { cidr: '::/96', name: 'IPv4-compatible', source: 'RFC 4291' },
  { cidr: '64:ff9b::/96', name: 'IPv4/IPv6 translation', source: 'RFC 6052' },
  { cidr: '64:ff9b:1::/48', name: 'local IPv4/IPv6 translation', source: 'RFC 8215' },
  { cidr: '100::/64', name: 'discard only', source: 'RFC 6666' },
  { cidr: '2001::/32', name: 'Teredo', source: 'RFC 4380' },
  { cidr: '2001:2::/48', name: 'benchmarking', source: 'RFC 5180' },
  { cidr: '2001:10::/28', name: 'ORCHID', source: 'RFC 4843' },
  { cidr: '2001:20::/28', name: 'ORCHIDv2', source: 'RFC 7343' },
  { cidr: '2001::/23', name: 'protocol assignments', source: 'RFC 2928' },
  { cidr: '2001:db8::/32', name: 'documentation', source: 'RFC 3849' },
  { cidr: '2002::/16', name: '6to4', source: 'RFC 3056' },
  { cidr: '2620:4f:8000::/48', name: 'AS112', source: 'RFC 7534' },
  { cidr: '3fff::/20', name: 'documentation', source: 'RFC 9637' },
  { cidr: '5f00::/16', name: 'segment routing', source: 'RFC 9602' },
  { cidr: 'fc00::/7', name: 'unique local', source: 'RFC 4193' },
  { cidr: 'fe80::/10', name: 'link local', source: 'RFC 4291' },
  { cidr: 'fec0::/10', name: 'site local', source: 'RFC 3879' },
  { cidr: 'ff00::/8', name: 'multicast', source: 'RFC 4291' },
]
