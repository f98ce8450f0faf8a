import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Reads a comma-separated list of addresses and CIDR ranges. @returns undefined when one of them is neither */
export function parseNetworks(text: string): BlockList | undefined {
  const list = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [address = '', prefix] = entry.split('/', 2)
    const version = isIP(address)
    const bits = version === 4 ? 32 : 128
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
    if (version === 0 || !(length >= 0 && length <= bits)) return undefined
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/** The address of the client: the rightmost hop that is not a proxy of ours. */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  const claimed = request.headers['x-forwarded-for']
  const hops = typeof claimed === 'string' ? claimed.split(',').map((hop) => plain(hop.trim())) : []
  let address = plain(request.socket.remoteAddress ?? '')
  while (isTrusted(address, trusted)) {
    const next = hops.pop()
    if (next === undefined || isIP(next) === 0) break
    address = next
  }
  return address
}

const isTrusted = (address: string, trusted: BlockList): boolean => {
  const version = isIP(address)
  return version !== 0 && trusted.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** IPv4 as it is, also where the socket speaks IPv6. */
const plain = (address: string) =>
  address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
