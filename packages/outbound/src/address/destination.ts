import { isIP } from 'node:net'
import { readWebAddress } from '@wp/contracts'
import { OutboundError } from '../error.ts'

export type Protocol = 'https:' | 'http:'

/** Ports from `from` to `to`, inclusive. */
export interface PortRange {
  from: number
  to: number
}

/** Host and port to connect to. The host is canonical: no brackets, no trailing dot. */
export interface Destination {
  host: string
  port: number
  /** The address if the host is an IP literal, which needs no lookup. */
  literal: string | undefined
}

export interface HttpDestination extends Destination {
  url: URL
  protocol: Protocol
}

/** The HTTPS port, its common alternative, and all unprivileged ports. */
export const defaultPorts: readonly PortRange[] = [
  { from: 443, to: 443 },
  { from: 8443, to: 8443 },
  { from: 1024, to: 65_535 },
]

export interface UrlRules {
  /** Default: `https:` only. With `http:`, port 80 is allowed too. */
  protocols?: readonly Protocol[] | undefined
  ports?: readonly PortRange[] | undefined
}

const defaultProtocols: readonly Protocol[] = ['https:']
const defaultPortByProtocol = { 'https:': 443, 'http:': 80 } as const

/**
 * Parses a URL chosen by a user and checks the rules that need no network. The host is normalized by the WHATWG parser,
 * so that `2130706433`, `0x7f.1` and `①②⑦.0.0.1` are the address 127.0.0.1 and never a name.
 *
 * @throws OutboundError `invalid_url`
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

/**
 * As `parseUrl`, for a URL that a user enters now: also rejects forms that the parser would repair.
 *
 * @throws OutboundError `invalid_url`
 */
export function parseEnteredUrl(text: string | URL, rules: UrlRules): HttpDestination {
  const address = readWebAddress(String(text))
  if ('fault' in address) throw invalidUrl(`the URL ${address.fault}`)
  return parseUrl(address.url, rules)
}

/** As `parseUrl`, for a host and a port. @throws OutboundError `invalid_url` */
export function parseHostPort(host: string, port: number, ports: readonly PortRange[] = defaultPorts): Destination {
  requireAllowedPort(port, ports)
  const url = URL.parse(`https://${isIP(host) === 6 ? `[${host}]` : host}/`)
  // Reject anything beyond a host: a path, a port, credentials, whitespace that the parser would drop.
  const hasExtraParts = url !== null && (url.href !== `https://${url.hostname}/` || /[\s/\\?#@]/.test(host))
  if (url === null || hasExtraParts) throw invalidUrl(`"${host.slice(0, 100)}" is not a host name or address`)
  return { port, ...canonicalHost(url.hostname) }
}

/**
 * Parses a list of ports such as `443,8443,1024-65535` from an environment variable.
 *
 * @throws Error that names the invalid entry
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
    throw invalidUrl('the host name is not valid')
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

/**
 * Returns the part of an address that stored credentials belong to: origin and path, without query and fragment. Paths
 * of one host may be of different owners, so credentials do not follow a change of the path. Webhooks, integrations and
 * the sources read through them use this rule.
 */
export function credentialDestination(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

/**
 * Returns true if a URL has the same origin as another and a path at or below its path. Rejects paths that a server
 * might read as a parent directory or a separator (`..;`, `%2f`, `%5c`, and these encoded more than once), and user
 * info.
 * @param base without query and fragment
 */
export function isSubUrl(address: string, base: string): boolean {
  const [url, root] = [URL.parse(address), URL.parse(base)]
  if (url === null || root === null || url.origin !== root.origin) return false
  if (url.username !== '' || url.password !== '') return false
  const path = root.pathname.replace(/\/+$/, '')
  if (url.pathname !== path && !url.pathname.startsWith(`${path}/`)) return false
  return !ambiguousPath.test(url.pathname.slice(path.length))
}

/** The URL parser has already resolved `.`, `..` and their encodings, and replaced `\` by `/`. */
const ambiguousPath = /%(?:25)*(?:2f|5c)|(?:^|\/)(?:\.|%(?:25)+2e){1,2}(?:;|%(?:25)*3b|\/|$)/i
