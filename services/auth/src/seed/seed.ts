import { randomUUID } from 'node:crypto'
import { scopes, toMailAddress } from '@wp/contracts'
import { newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import { type Context, openContext } from '../context.ts'
import { apiKeyFromText, generateApiKey, generateClientSecret, hashSecret } from '../secrets/secret.ts'
import type { Tx } from '../store/client.ts'
import { insertApiKey } from '../store/credentials/api-keys.ts'
import { insertServicePrincipal } from '../store/credentials/service-principals.ts'
import { findSeeded, type SeededIds, withSeedLock } from '../store/seed-lookup.ts'
import { ensureUser } from '../store/users.ts'
import { insertWorkspace, type WorkspacePlacement } from '../store/workspaces/workspaces.ts'
import { placementInApiKey, type SeedOptions, validateApiKeyWorkspace, validateSeedOptions } from './options.ts'

/** The first workspace and its credentials. A secret is null if an earlier run created it. */
export interface SeedResult {
  workspace_id: string
  owner_user_id: string
  owner_email: string
  client_id: string
  client_secret: string | null
  key_id: string
  api_key: string | null
}

type Env = Readonly<Record<string, string | undefined>>

/** Name of the seeded credentials, and their `created_by`. */
const seedName = 'seed'

/**
 * Creates the first workspace with its owner, a service principal with all scopes, and an API key. Idempotent and safe
 * to run concurrently: leaves alone what exists or was deleted.
 * @param contextOrEnv a context, or the environment of the auth service
 * @throws Error if an option is invalid
 */
export async function seed(contextOrEnv: Context | Env, options: SeedOptions): Promise<SeedResult> {
  if (isContext(contextOrEnv)) return await seedWithContext(contextOrEnv, options)
  const context = await openContext(contextOrEnv)
  try {
    return await seedWithContext(context, options)
  } finally {
    await context.close()
  }
}

const isContext = (contextOrEnv: Context | Env): contextOrEnv is Context => typeof contextOrEnv.database === 'object'

async function seedWithContext(context: Context, options: SeedOptions): Promise<SeedResult> {
  validateSeedOptions(options)
  const email = toMailAddress(options.ownerEmail) ?? '' // validated above
  return await withSeedLock(context.database.worker, async (connection) => {
    const found = await findSeeded(connection, {
      email,
      name: options.workspaceName,
      createdBy: seedName,
      id: options.workspaceId,
    })
    const wanted = found ?? choosePlacement(context, options)
    validateApiKeyWorkspace(wanted, options)
    const caller = serviceCaller('auth', { shard: context.shard, workspaceId: null, requestId: `seed-${randomUUID()}` })
    return await context.database.transact(caller, async (tx) => {
      const userId = await ensureUser(tx, email)
      const placement = found ?? (await createSeedWorkspace(tx, wanted, options, userId))
      if (found !== undefined) await tx.switchWorkspace(found)
      const client = await ensureClient(tx, placement, options, found)
      const key = await ensureKey(tx, placement, options, found)
      const workspace = { workspace_id: placement.workspaceId, owner_user_id: userId, owner_email: email }
      auditSeeding(tx, { ...client, ...key }, placement)
      return { ...workspace, ...client, ...key }
    })
  })
}

/** Chooses the placement in the given API key if it is open, else a default one. */
function choosePlacement(
  { shardPlacement }: Context,
  { workspaceId = newId('ws'), apiKey }: SeedOptions,
): WorkspacePlacement {
  const named = placementInApiKey(apiKey)
  return {
    workspaceId,
    ...(named !== undefined && shardPlacement.isOpen(named) ? named : shardPlacement.placementFor(workspaceId)),
  }
}

async function createSeedWorkspace(
  tx: Tx,
  placement: WorkspacePlacement,
  { workspaceName: name }: SeedOptions,
  ownerId: string,
) {
  await insertWorkspace(tx, { ...placement, name, metadata: {}, ownerId })
  return placement
}

type SeededClient = Pick<SeedResult, 'client_id' | 'client_secret'>

async function ensureClient(
  tx: Tx,
  placement: WorkspacePlacement,
  options: SeedOptions,
  found: SeededIds | undefined,
): Promise<SeededClient> {
  if (found?.clientId != null) return { client_id: found.clientId, client_secret: null }
  const { clientSecret: given, clientId } = options
  const secret = given === undefined ? generateClientSecret() : { text: given, hash: hashSecret(given) }
  const fields = {
    name: seedName,
    scopes,
    environment: null,
    createdBy: seedName,
    secretHash: secret.hash,
    workspaceId: placement.workspaceId,
  }
  const principal = await insertServicePrincipal(tx, { ...fields, ...(clientId === undefined ? {} : { clientId }) })
  return { client_id: principal.clientId, client_secret: secret.text }
}

type SeededKey = Pick<SeedResult, 'key_id' | 'api_key'>

async function ensureKey(
  tx: Tx,
  placement: WorkspacePlacement,
  { apiKey }: SeedOptions,
  found: SeededIds | undefined,
): Promise<SeededKey> {
  if (found?.keyId != null) return { key_id: found.keyId, api_key: null }
  const secret = apiKey === undefined ? generateApiKey(placement) : apiKeyFromText(apiKey)
  const createdBy = { id: seedName, type: 'service' as const }
  const { keyId: key_id } = await insertApiKey(tx, {
    placement,
    name: seedName,
    scopes,
    expiresAt: null,
    createdBy,
    secret,
  })
  tx.emit({ kind: 'API_KEY_CREATED', data: { id: key_id, status: 'active', name: seedName } })
  return { key_id, api_key: secret.text }
}

/** Emits an audit event if credentials were created, because they have all scopes. */
function auditSeeding(
  tx: Tx,
  { client_id, client_secret, key_id, api_key }: SeededClient & SeededKey,
  placement: WorkspacePlacement,
): void {
  if (client_secret === null && api_key === null) return
  const targets = [
    { type: 'workspace', id: placement.workspaceId },
    ...(client_secret === null ? [] : [{ type: 'service_principal', id: client_id }]),
    ...(api_key === null ? [] : [{ type: 'api_key', id: key_id }]),
  ]
  tx.audit({ action: 'workspace.seeded', targets })
}
