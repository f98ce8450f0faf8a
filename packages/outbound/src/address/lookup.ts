import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { errorCode } from '@wp/runtime'

export interface LookupAddress {
  address: string
  family: number
}

/** Resolves a name to all its addresses. Rejects with a `code` such as `ENOTFOUND` if there are none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>

interface LookupOptions {
  /** Name servers as `address` or `address:port`; default: those of the system. */
  servers?: readonly string[]
  hostsFile?: string
  /** Timeout of a query in milliseconds; after it the query is sent a second and last time. Default 1,000. */
  timeoutMs?: number
}

/**
 * Creates the default lookup: the hosts file, then the name servers, queried from the event loop.
 *
 * It does not use `dns.lookup`, which runs the C library's resolver on libuv's small thread pool: a few names whose
 * servers do not respond would delay all other lookups of the process. It also appends no search domains, so that a
 * user's `redis` is never completed to a name of the operator's network.
 */
export function createLookup({ servers, hostsFile = '/etc/hosts', timeoutMs = 1000 }: LookupOptions = {}): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers) resolver.setServers(servers)

  return async (hostname) => {
    const listed = await readHostsFile(hostsFile, hostname)
    if (listed.length > 0) return listed
    if (isLocalhost(hostname)) return ['127.0.0.1', '::1'].map(withFamily)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    // IPv4 first: many clusters have no IPv6 and drop such packets.
    const found = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (found.length > 0) return found.map(withFamily)
    throw mostSpecificError(v4, v6)
  }
}

/** Returns true for names that RFC 6761 defines as loopback; they are not sent to name servers. */
export const isLocalhost = (hostname: string): boolean => /(^|\.)localhost$/.test(hostname)

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

/** Prefers a failed query over "no such record", which says nothing about the other address family. */
function mostSpecificError(v4: PromiseSettledResult<unknown>, v6: PromiseSettledResult<unknown>): unknown {
  const errors = [v4, v6].flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  return (
    errors.find((error) => !['ENODATA', 'ENOTFOUND'].includes(errorCode(error) ?? '')) ??
    errors[0] ??
    new Error('no address')
  )
}
