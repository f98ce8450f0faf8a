import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { globalIpv6, type SpecialRange, specialIpv4, specialIpv6 } from './special-addresses.ts'

type Ip = ipaddr.IPv4 | ipaddr.IPv6

interface Block {
  network: Ip
  bits: number
}

/** Returns why an address must not be called, in a few words; undefined if it may be called. */
export type AddressRules = (address: string) => string | undefined

interface AddressRuleOptions {
  allowCidrs?: readonly string[] | undefined
  denyCidrs?: readonly string[] | undefined
  production?: boolean | undefined
}

/**
 * Creates the rules for addresses: public unicast addresses and those allowed by the operator, except those denied by
 * the operator. Denials take precedence.
 *
 * @throws Error if a range is malformed, or if production allows one that is not public
 */
export function createAddressRules({
  allowCidrs = [],
  denyCidrs = [],
  production = false,
}: AddressRuleOptions): AddressRules {
  const allowed = allowCidrs.map(parseBlock)
  const denied = denyCidrs.map(parseBlock)
  if (production) for (const [index, block] of allowed.entries()) requirePublic(block, String(allowCidrs[index]))

  return (address) => {
    if (isIP(address) === 0) return 'not an IP address'
    const ip = ipaddr.parse(address)
    const embedded = ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip
    if (denied.some((block) => contains(block, ip) || contains(block, embedded))) return 'denied by the operator'
    if (allowed.some((block) => contains(block, ip))) return undefined
    return nonPublicReason(ip)
  }
}

/**
 * Returns true for a public unicast address. Others are not shown to users, even if the operator allows calls to them.
 */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && nonPublicReason(ipaddr.parse(address)) === undefined

/**
 * Parses a list of CIDR blocks, separated by commas or spaces, from an environment variable. A bare address is a block
 * of one address. Returns the blocks normalized.
 *
 * @throws Error that names the invalid entry
 */
export function parseCidrs(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const { network, bits } = parseBlock(entry)
      return `${network.toString()}/${bits}`
    })
}

const special = { ipv4: withParsedBlocks(specialIpv4), ipv6: withParsedBlocks(specialIpv6) }
const globalUnicast = parseBlock(globalIpv6)

function nonPublicReason(ip: Ip): string | undefined {
  const range = special[ip.kind()].find(({ block }) => contains(block, ip))
  if (range) return `${range.name}, ${range.source}`
  return ip.kind() === 'ipv4' || contains(globalUnicast, ip) ? undefined : 'outside the global unicast space, RFC 4291'
}

/** Throws if any address of an allowed block is not public. */
function requirePublic(block: Block, cidr: string): void {
  const inside = special[block.network.kind()].find((range) => overlaps(range.block, block))
  const outside =
    block.network.kind() === 'ipv6' && !contains(globalUnicast, block.network) ? 'not global unicast' : undefined
  const reason = inside ? `${inside.name}, ${inside.source}` : outside
  if (reason) throw new Error(`production must not allow outbound calls to ${cidr}: it is not public (${reason})`)
}

function withParsedBlocks(ranges: readonly SpecialRange[]) {
  return ranges.map((range) => ({ ...range, block: parseBlock(range.cidr) }))
}

function parseBlock(text: string): Block {
  const isBareAddress = !text.includes('/') && isStrictAddress(text)
  const cidr = isBareAddress ? `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}` : text
  const [address = ''] = cidr.split('/')
  if (!isStrictAddress(address) || !ipaddr.isValidCIDR(cidr)) {
    throw new Error(`"${text}" is not a CIDR block such as 127.0.0.0/8 or ::1/128`)
  }
  const [network, bits] = ipaddr.parseCIDR(cidr)
  const first =
    network.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  if (first.toString() !== network.toString()) {
    throw new Error(
      `"${text}" is not the first address of its block: write ${first.toString()}/${bits}, or /${isBareAddress ? bits : maxBits(network)} for a single address`,
    )
  }
  return { network, bits }
}

/** Rejects `127.1` and octal forms, which ipaddr.js accepts but an operator is unlikely to intend. */
function isStrictAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'))
}

function contains(block: Block, ip: Ip): boolean {
  return block.network.kind() === ip.kind() && ip.match(block.network, block.bits)
}

function overlaps(one: Block, other: Block): boolean {
  return contains(one, other.network) || contains(other, one.network)
}

function maxBits(ip: Ip): number {
  return ip.kind() === 'ipv4' ? 32 : 128
}
