import { isIP } from 'node:net'

/**
 * Returns the network by which requests of an address are counted: the address itself, or for IPv6 its /64 (RFC 6177),
 * within which one host can use any address.
 */
export function networkPrefix(address: string): string {
  if (isIP(address) !== 6) return address
  const [left = '', right] = address.split('%', 1)[0]?.split('::', 2) ?? []
  const groups = left === '' ? [] : left.split(':')
  const after = right === undefined || right === '' ? 0 : right.split(':').length + (right.includes('.') ? 1 : 0)
  const omitted = right === undefined ? 0 : 8 - groups.length - after
  const whole = [...groups, ...Array<string>(omitted).fill('0'), ...(right ?? '').split(':')]
  const network = whole.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
