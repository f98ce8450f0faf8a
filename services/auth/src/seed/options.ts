import { id, toMailAddress } from '@wp/contracts'
import { apiKeyPrefix } from '../secrets/secret.ts'
import type { Placement, WorkspacePlacement } from '../store/workspaces/workspaces.ts'

/** Options of the first workspace. Missing ids and secrets are generated. */
export interface SeedOptions {
  workspaceName: string
  ownerEmail: string
  /** Required with `apiKey`, which contains the workspace id. */
  workspaceId?: string
  clientId?: string
  /** 32 to 200 characters of `A-Z a-z 0-9 _ -`, for fixed development credentials. */
  clientSecret?: string
  /** `key_<shard>.<LOC>.<WORKSPACE>.<uuid v4>`. */
  apiKey?: string
}

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Validates the options. @throws Error naming the invalid option; the message contains no secret */
export function validateSeedOptions(options: SeedOptions): void {
  const { workspaceName, ownerEmail, workspaceId, clientId, clientSecret, apiKey } = options
  assertOption(
    workspaceName.length >= 1 && workspaceName.length <= 100,
    'the workspace name must have 1 to 100 characters',
  )
  assertOption(toMailAddress(ownerEmail) !== undefined, 'the address of the owner is not a mail address')
  assertOption(workspaceId === undefined || id('ws').safeParse(workspaceId).success, 'the workspace id is not valid')
  assertOption(clientId === undefined || id('sp').safeParse(clientId).success, 'the client id is not valid')
  assertOption(
    clientSecret === undefined || /^[A-Za-z0-9_-]{32,200}$/.test(clientSecret),
    'the client secret must have 32 to 200 characters of A-Z a-z 0-9 _ -',
  )
  assertOption(apiKey === undefined || workspaceId !== undefined, 'an API key requires the workspace id it contains')
}

function assertOption(isValid: boolean, message: string): void {
  if (!isValid) throw new Error(`seed: ${message}`)
}

/** Returns the placement an API key contains. */
export function placementInApiKey(apiKey: string | undefined): Placement | undefined {
  const [, shard, location] = /^key_([a-z0-9]{1,16})\.([A-Z]{2,8})\./.exec(apiKey ?? '') ?? []
  return shard === undefined || location === undefined ? undefined : { shard, location }
}

/** Checks that a given API key belongs to the workspace. @throws Error */
export function validateApiKeyWorkspace(placement: WorkspacePlacement, { apiKey }: SeedOptions): void {
  if (apiKey === undefined) return
  const prefix = apiKeyPrefix(placement)
  assertOption(
    apiKey.startsWith(prefix) && uuid4.test(apiKey.slice(prefix.length)),
    `the API key must be ${prefix} followed by a version 4 UUID`,
  )
}
