import { isIP } from 'node:net'

/**
 * The widest trusted ranges, in bits of the prefix: those that content delivery networks publish. Whole private
 * networks such as 10.0.0.0/8 are wider. They contain clients too, whose X-Forwarded-For header would then be believed.
 */
const minPrefixBits = { 4: 13, 6: 29 }

/** Returns the first range of a list of addresses and CIDR ranges that is too wide to be trusted as proxies. */
export function findWideRange(list: string): string | undefined {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => {
      const [address = '', prefix] = entry.split('/')
      if (prefix === undefined) return false
      const isIpv4Mapped = address.toLowerCase().startsWith('::ffff:')
      if (isIpv4Mapped) return Number(prefix) - 96 < minPrefixBits[4]
      return Number(prefix) < minPrefixBits[isIP(address) === 4 ? 4 : 6]
    })
}
