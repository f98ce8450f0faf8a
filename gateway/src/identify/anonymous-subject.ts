import type { EndpointDefinition } from '@wp/contracts'
import { allShards, type Subject } from '@wp/service'
import type { Config } from '../config.ts'

/** Returns the subject of requests without a credential, and of the edge's own request for the signing keys. */
export const anonymousSubject = (
  config: Pick<Config, 'SHARD' | 'LOCATION'>,
  shard: string = config.SHARD,
): Subject => ({
  principal: { id: 'anonymous', type: 'anonymous' },
  credentialId: 'anonymous',
  workspaceId: null,
  shard,
  location: config.LOCATION,
  scopes: [],
})

/**
 * Creates a function that returns the cell of a request without a credential: the one that the request names, if the
 * endpoint declares where, and otherwise the cell of the edge. Only configured cells count, because the name becomes
 * part of the address that the request is forwarded to.
 */
export function createAnonymousCell(config: Pick<Config, 'SHARD' | 'CELLS'>) {
  const shards: ReadonlySet<string> = new Set(allShards(config))
  return ({ cellParameter }: Pick<EndpointDefinition, 'cellParameter'>, url: string | undefined): string => {
    if (cellParameter === undefined) return config.SHARD
    const query = new URLSearchParams(/\?(.*)$/s.exec(url ?? '')?.[1])
    const [shard = ''] = (query.get(cellParameter) ?? '').split('.', 1)
    return shards.has(shard) ? shard : config.SHARD
  }
}
