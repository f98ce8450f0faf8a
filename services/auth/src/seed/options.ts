import { id } from '@wp/contracts'
import { apiKeyPrefix } from '../secrets/secret.ts'
import type { WorkspacePlacement } from '../tokens/access-token.ts'
import type { Placement } from '../workspaces/shard-placement.ts'

/** What the first workspace shall be. What is not given is made. */
export interface SeedOptions {
  workspaceName: string
  ownerEmail: string
  /** Needed where an API key is given: the key names its workspace. */
  workspaceId?: string
  clientId?: string
  /** 32 to 200 of `A-Z a-z 0-9 _ -`, for known development credentials. */
  clientSecret?: string
  /** `key_<shard>.<LOC>.<WORKSPACE>.<uuid v4>`. */
  apiKey?: string
}

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** @throws Error saying which option cannot be used; secrets are not repeated */
export function validateSeedOptions(options: SeedOptions): void {
  const { workspaceName, ownerEmail, workspaceId, clientId, clientSecret, apiKey } = options
  assertOption(
    workspaceName.length >= 1 && workspaceName.length <= 100,
    'the name of the workspace must have 1 to 100 characters',
  )
  assertOption(/^[^\s@]+@[^\s@]+$/.test(ownerEmail), 'the address of the owner is not a mail address')
  assertOption(workspaceId === undefined || id('ws').safeParse(workspaceId).success, 'the workspace id is not one')
  assertOption(clientId === undefined || id('sp').safeParse(clientId).success, 'the client id is not one')
  assertOption(
    clientSecret === undefined || /^[A-Za-z0-9_-]{32,200}$/.test(clientSecret),
    'the client secret must be 32 to 200 of A-Z a-z 0-9 _ -',
  )
  assertOption(apiKey === undefined || workspaceId !== undefined, 'an API key needs the workspace id it names')
}

function assertOption(isValid: boolean, message: string): void {
  if (!isValid) throw new Error(`seed: ${message}`)
}

/** What a key says of where its workspace lives. */
export function placementInApiKey(apiKey: string | undefined): Placement | undefined {
  const [, shard, location] = /^key_([a-z0-9]{1,16})\.([A-Z]{2,8})\./.exec(apiKey ?? '') ?? []
  return shard === undefined || location === undefined ? undefined : { shard, location }
}

/** @throws Error when the key that is given is not one of this workspace */
export function validateApiKeyWorkspace(placement: WorkspacePlacement, { apiKey }: SeedOptions): void {
  if (apiKey === undefined) return
  const prefix = apiKeyPrefix(placement)
  assertOption(
    apiKey.startsWith(prefix) && uuid4.test(apiKey.slice(prefix.length)),
    `the API key must be ${prefix} and a version 4 UUID`,
  )
}
