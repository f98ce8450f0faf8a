import { isIP } from 'node:net'
import { OutboundError } from '../error.ts'

export type Protocol = 'https:' | 'http:'

/** Ports from `from` to `to`, both included. */
export interface PortRange {
  from: number
  to: number
}

/** Where to connect: the canonical host (no brackets, no trailing dot), and whether it is an address already. */
export interface Destination {
  host: string
  port: number
  /** Set when the host is an IP literal; no lookup happens then. */
  literal: string | undefined
}

export interface HttpDestination extends Destination {
  url: URL
  protocol: Protocol
}

/** HTTPS's own port, its usual second, and everything an unprivileged server may listen on. */
export const defaultPorts: readonly PortRange[] = [
  { from: 443, to: 443 },
  { from: 8443, to: 8443 },
  { from: 1024, to: 65_535 },
]

export interface UrlRules {
  /** `https:` alone unless a provider declares otherwise; with `http:`, port 80 is allowed too. */
  protocols?: readonly Protocol[] | undefined
  ports?: readonly PortRange[] | undefined
}

const defaultProtocols: readonly Protocol[] = ['https:']
const defaultPortByProtocol = { 'https:': 443, 'http:': 80 } as const

/**
 * Reads a URL a user chose and holds it to the rules that need no network. The host comes out as the WHATWG parser
 * makes it, so that `2130706433`, `0x7f.1` and `①②⑦.0.0.1` are the address 127.0.0.1 and never a name.
 * Throws an OutboundError of kind `invalid_url`.
 */
export function parseUrl(
  text: string | URL,
  { protocols = defaultProtocols, ports = defaultPorts }: UrlRules,
): HttpDestination {
  const url = URL.parse(String(text))
  if (url === null) throw invalidUrl('the URL is not valid')
  const protocol = protocols.find((each) => each === url.protocol)
  if (protocol === undefined)
    throw invalidUrl(`the URL must begin with ${protocols.map((each) => `${each}//`).join(' or ')}`)
  if (url.username !== '' || url.password !== '') throw invalidUrl('the URL must not contain a user name or password')
  const port = url.port === '' ? defaultPortByProtocol[protocol] : Number(url.port)
  const allowedPorts = protocols.includes('http:') ? [...ports, { from: 80, to: 80 }] : ports
  requireAllowedPort(port, allowedPorts)
  return { url, protocol, port, ...canonicalHost(url.hostname) }
}

/** The same for a bare host and port. */
export function parseHostPort(host: string, port: number, ports: readonly PortRange[] = defaultPorts): Destination {
  requireAllowedPort(port, ports)
  const url = URL.parse(`https://${isIP(host) === 6 ? `[${host}]` : host}/`)
  // Anything that is more than a host (a path, a port, credentials, white space the parser drops) is not one.
  const hasExtraParts = url !== null && (url.href !== `https://${url.hostname}/` || /[\s/\\?#@]/.test(host))
  if (url === null || hasExtraParts) throw invalidUrl(`"${host.slice(0, 100)}" is not a host name or address`)
  return { port, ...canonicalHost(url.hostname) }
}

/**
 * Reads a list of ports such as `443,8443,1024-65535`, as operators write it in the environment. Throws an error that
 * names the entry which is wrong.
 */
export function parsePorts(text: string): PortRange[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [from = Number.NaN, to = from] = /^\d{1,5}(-\d{1,5})?$/.test(entry) ? entry.split('-').map(Number) : []
      if (!(from >= 1 && from <= to && to <= 65_535)) {
        throw new Error(`"${entry}" is not a port such as 443 or a range such as 1024-65535`)
      }
      return { from, to }
    })
}

function canonicalHost(hostname: string): Pick<Destination, 'host' | 'literal'> {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
  if (isIP(host) !== 0) return { host, literal: host }
  const labels = host.split('.')
  if (host.length > 253 || labels.some((label) => label.length < 1 || label.length > 63)) {
    throw invalidUrl('the host name cannot exist')
  }
  return { host, literal: undefined }
}

function requireAllowedPort(port: number, ports: readonly PortRange[]): void {
  if (Number.isInteger(port) && port > 0 && ports.some(({ from, to }) => port >= from && port <= to)) return
  const allowed = ports.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ')
  throw invalidUrl(`port ${port} is not allowed (allowed: ${allowed})`)
}

function invalidUrl(message: string): OutboundError {
  return new OutboundError('invalid_url', message)
}
