import {
  auth,
  authInternal,
  type EndpointDefinition,
  type IdentityChangePage,
  type PresentedCredential,
  type Resolution,
} from '@wp/contracts'
import { allShards, type InternalCalls, type Subject } from '@wp/service'
import type { JSONWebKeySet } from 'jose'
import type { Config } from '../config.ts'

/** The calls of the edge to auth. Each throws a Problem 5xx while auth is unavailable. */
export interface AuthCalls {
  /** Returns the keys that verify access tokens. */
  fetchKeys(): Promise<JSONWebKeySet>
  /** Returns the resolutions in the order of the items. */
  resolveMany(items: PresentedCredential[]): Promise<Resolution[]>
  /** Returns a page of the change log of identities. */
  readChanges(after: number): Promise<IdentityChangePage>
}

export function createAuthCalls(
  internal: Pick<InternalCalls, 'call' | 'callAsSystem'>,
  platform: Parameters<typeof anonymousSubject>[0],
): AuthCalls {
  const noWorkspace = { workspaceId: null }
  return {
    async fetchKeys() {
      const caller = { ...anonymousSubject(platform), requestId: 'edge-keys' }
      const { keys } = await internal.call(auth.keySet, caller, { params: {}, query: {}, body: undefined })
      return { keys }
    },
    async resolveMany(items) {
      const input = { params: {}, query: {}, body: { items } }
      return (await internal.callAsSystem(authInternal.resolveMany, noWorkspace, input)).resolutions
    },
    readChanges(after) {
      const input = { params: {}, query: { after }, body: undefined }
      return internal.callAsSystem(authInternal.readIdentityChanges, noWorkspace, input)
    },
  }
}

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
