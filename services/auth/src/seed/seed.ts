import { randomUUID } from 'node:crypto'
import { scopes } from '@wp/contracts'
import { newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Context } from '../context.ts'
import { openContext } from '../open-context.ts'
import { apiKeySecret, hashSecret, newApiKey, newClientSecret } from '../secrets/secret.ts'
import { insertApiKey } from '../store/api-keys.ts'
import { type Found, findSeeded, withSeedLock } from '../store/seed.ts'
import { insertServicePrincipal } from '../store/service-principals.ts'
import type { Tx } from '../store/transaction.ts'
import { ensureUser } from '../store/users.ts'
import { insertWorkspace } from '../store/workspaces.ts'
import type { Home } from '../tokens/access-token.ts'
import { slugsFor } from '../workspaces/slug.ts'
import { checkKeyOf, checkSeedOptions, placeNamedBy, type SeedOptions } from './options.ts'

/** The first workspace and what opens it. A secret is there only when this very run kept it. */
export interface Seeded {
  workspace_id: string
  owner_user_id: string
  owner_email: string
  client_id: string
  client_secret: string | null
  key_id: string
  api_key: string | null
}

type Env = Readonly<Record<string, string | undefined>>

/** Who made what is seeded, and what it is called. */
const seeding = 'seed'

/**
 * Makes the first workspace: its owner, a service principal with every scope, an API key. Whatever of it is or was there
 * stays as it is, so that it can run at every start and several times at once.
 * @param where a context, or the environment of the auth service
 * @throws Error when an option cannot be used
 */
export async function seed(where: Context | Env, options: SeedOptions): Promise<Seeded> {
  if (isContext(where)) return await seedIn(where, options)
  const context = await openContext(where)
  try {
    return await seedIn(context, options)
  } finally {
    await context.close()
  }
}

const isContext = (where: Context | Env): where is Context => typeof where.database === 'object'

async function seedIn(context: Context, options: SeedOptions): Promise<Seeded> {
  checkSeedOptions(options)
  const email = options.ownerEmail.toLowerCase()
  const { worker } = context.database
  return await withSeedLock(worker, async () => {
    const found = await findSeeded(worker, { email, name: options.workspaceName, seeding, id: options.workspaceId })
    const wanted = found ?? newHome(context, options)
    checkKeyOf(wanted, options)
    const caller = serviceCaller('auth', { shard: context.shard, workspaceId: null, requestId: `seed-${randomUUID()}` })
    return await context.database.transact(caller, async (tx) => {
      const userId = await ensureUser(tx, email)
      const home = found ?? (await makeWorkspace(tx, wanted, options, userId))
      if (found !== undefined) await tx.enterWorkspace(found)
      const client = await ensureClient(tx, home, options, found)
      const key = await ensureKey(tx, home, options, found)
      const workspace = { workspace_id: home.workspaceId, owner_user_id: userId, owner_email: email }
      noteSeeding(tx, { ...client, ...key }, home)
      return { ...workspace, ...client, ...key }
    })
  })
}

/** Where the workspace will be: as a given key says, where that is open. */
function newHome({ homes }: Context, { workspaceId = newId('ws'), apiKey }: SeedOptions): Home {
  const named = placeNamedBy(apiKey)
  return { workspaceId, ...(named !== undefined && homes.isOpen(named) ? named : homes.of(workspaceId)) }
}

async function makeWorkspace(tx: Tx, home: Home, { workspaceName: name }: SeedOptions, ownerId: string) {
  await insertWorkspace(tx, { ...home, name, metadata: {}, ownerId }, slugsFor(name))
  return home
}

type Client = Pick<Seeded, 'client_id' | 'client_secret'>

async function ensureClient(tx: Tx, home: Home, options: SeedOptions, found: Found | undefined): Promise<Client> {
  if (found?.clientId != null) return { client_id: found.clientId, client_secret: null }
  const { clientSecret: given, clientId } = options
  const secret = given === undefined ? newClientSecret() : { text: given, hash: hashSecret(given) }
  const facts = { name: seeding, scopes, environment: null, createdBy: seeding, secret, workspaceId: home.workspaceId }
  const principal = await insertServicePrincipal(tx, { ...facts, ...(clientId === undefined ? {} : { clientId }) })
  return { client_id: principal.clientId, client_secret: secret.text }
}

type Key = Pick<Seeded, 'key_id' | 'api_key'>

async function ensureKey(tx: Tx, home: Home, { apiKey }: SeedOptions, found: Found | undefined): Promise<Key> {
  if (found?.keyId != null) return { key_id: found.keyId, api_key: null }
  const secret = apiKey === undefined ? newApiKey(home) : apiKeySecret(apiKey)
  const createdBy = { id: seeding, type: 'service' as const }
  const { key_id } = await insertApiKey(tx, { home, name: seeding, scopes, expiresAt: null, createdBy, secret })
  tx.emit({ kind: 'API_KEY_CREATED', data: { id: key_id, status: 'active', name: seeding } })
  return { key_id, api_key: secret.text }
}

/** Credentials for everything were made: the audit log shall know. */
function noteSeeding(tx: Tx, { client_id, client_secret, key_id, api_key }: Client & Key, home: Home): void {
  if (client_secret === null && api_key === null) return
  const targets = [
    { type: 'workspace', id: home.workspaceId },
    ...(client_secret === null ? [] : [{ type: 'service_principal', id: client_id }]),
    ...(api_key === null ? [] : [{ type: 'api_key', id: key_id }]),
  ]
  tx.audit({ action: 'workspace.seeded', targets })
}
