import { Resolver } from 'node:dns/promises'

/** Looks up the TXT records of a name; none if it has none or cannot be resolved. */
export type ResolveTxt = (name: string) => Promise<string[]>

const maxRecords = 100

/** Creates a lookup with the name servers of the system. The parts of a record are concatenated (RFC 7208). */
export function createResolveTxt(): ResolveTxt {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return async (name) => {
    const records = await resolver.resolveTxt(name).catch(() => [])
    return records.slice(0, maxRecords).map((parts) => parts.join(''))
  }
}
