import { type PortalPage, Problem, portalLinkPath, webhooksInternal } from '@wp/contracts'
import { entryLimit } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { LRUCache } from 'lru-cache'

/** Finds the settings of the pages of portal links. */
export interface PortalPages {
  /**
   * @param name the last part of the path: `<cell>.<portal link id>`
   * @returns undefined if there is no such link
   * @throws Problem 503 if webhook delivery is unavailable
   */
  find(name: string): Promise<PortalPage | undefined>
}

const maxPages = 1_000

/** A page is asked for again when it is reloaded, hardly before. */
const maxAgeMs = 5_000

/**
 * Creates the finder, which remembers what it found for a moment, also that there is no such link.
 * @param cells those that exist: another name is not looked up
 */
export function createPortalPages(
  internal: Pick<InternalCalls, 'callAsSystem'>,
  cells: readonly string[],
): PortalPages {
  const found = new LRUCache<string, { page: PortalPage | undefined }>({ ...entryLimit(maxPages), ttl: maxAgeMs })

  async function read(name: string): Promise<PortalPage | undefined> {
    const [shard = '', id] = name.split('.')
    const params = portalLinkPath.safeParse({ portal_link_id: id })
    if (!params.success || !cells.includes(shard)) return undefined
    const input = { params: params.data, query: {}, body: undefined }
    try {
      return await internal.callAsSystem(webhooksInternal.readPortalPage, { workspaceId: null, shard }, input)
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return undefined
      throw error
    }
  }

  return {
    async find(name) {
      const known = found.get(name) ?? { page: await read(name) }
      found.set(name, known)
      return known.page
    },
  }
}
