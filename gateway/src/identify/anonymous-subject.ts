import type { Subject } from '@wp/service'
import type { Config } from '../config.ts'

/** Returns the subject of requests without a credential, and of the edge's own request for the signing keys. */
export const anonymousSubject = (config: Pick<Config, 'SHARD' | 'LOCATION'>): Subject => ({
  principal: { id: 'anonymous', type: 'anonymous' },
  credentialId: 'anonymous',
  workspaceId: null,
  shard: config.SHARD,
  location: config.LOCATION,
  scopes: [],
})
