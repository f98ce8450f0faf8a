import type { RequestCaller } from '@wp/contracts'

/** Creates the caller of the console's own transactions, which belong to no workspace. */
export const createSystemCaller = ({ SHARD, LOCATION }: { SHARD: string; LOCATION: string }): RequestCaller => ({
  principal: { id: 'svc:console', type: 'service' },
  credentialId: 'svc:console',
  workspaceId: null,
  shard: SHARD,
  location: LOCATION,
  scopes: [],
  requestId: 'console-session',
})
