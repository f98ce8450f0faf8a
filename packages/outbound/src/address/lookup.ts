import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { errorCode } from '@wp/runtime'

export interface LookupAddress {
  address: string
  family: number
}

/** Every address of a name. Rejects with a `code` such as `ENOTFOUND` when there is none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>

interface LookupOptions {
  /** Name servers as `address` or `address:port`; the system's by default. */
  servers?: readonly string[]
  hostsFile?: string
  /** How long a name server may take before it is asked a second and last time. */
  timeoutMs?: number
}

/**
 * The lookup used by default: the hosts file, then the name servers, asked from the event loop.
 *
 * Not `dns.lookup`, because that runs the C library's resolver on libuv's thread pool, where all lookups of the process
 * share two or so threads: two subscriptions whose name servers stay silent would hold up every other receiver. It
 * appends no search domains either, so that a user's `redis` is never completed to a name of the operator's network.
 */
export function createLookup({ servers, hostsFile = '/etc/hosts', timeoutMs = 1000 }: LookupOptions = {}): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers) resolver.setServers(servers)

  return async (hostname) => {
    const listed = await readHostsFile(hostsFile, hostname)
    if (listed.length > 0) return listed
    if (localhostPattern.test(hostname)) return ['127.0.0.1', '::1'].map(withFamily)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    // IPv4 first: a cluster without IPv6 is common, and drops what it cannot route.
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found.map(withFamily)
    throw mostSpecificError(v4, v6)
  }
}

/** RFC 6761: localhost and everything under it is loopback, and no name server is asked. */
const localhostPattern = /(^|\.)localhost$/

async function readHostsFile(path: string, hostname: string): Promise<LookupAddress[]> {
  const text = await readFile(path, 'utf8').catch(emptyIfMissing)
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
    .filter(([address = '', ...names]) => isIP(address) !== 0 && names.includes(hostname))
    .map(([address = '']) => withFamily(address))
}

function emptyIfMissing(error: unknown): string {
  if (errorCode(error) === 'ENOENT') return ''
  throw error
}

function withFamily(address: string): LookupAddress {
  return { address, family: isIP(address) }
}

/** "No such record" for one family says nothing where the other family's question failed. */
function mostSpecificError(v4: PromiseSettledResult<unknown>, v6: PromiseSettledResult<unknown>): unknown {
  const errors = [v4, v6].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  return (
    errors.find((error) => !['ENODATA', 'ENOTFOUND'].includes(errorCode(error) ?? '')) ??
    errors[0] ??
    new Error('no address')
  )
}
