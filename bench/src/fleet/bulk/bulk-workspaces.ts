import { createHash, randomUUID } from 'node:crypto'
import { newId } from '@wp/database'
import type { TestFleet } from '@wp/testkit'
import { setRateLimits } from '../../edge/edge-fleet.ts'
import type { LoadWorkspace } from '../load/load-workspace.ts'
import { withClient } from './with-client.ts'

/**
 * Creates workspaces, each with an owner, a service principal and an API key, by statements that copy the rows of a
 * seeded workspace: a request each would take minutes. Lifts the rate limits of all workspaces.
 */
export async function createWorkspaces(fleet: TestFleet, count: number): Promise<LoadWorkspace[]> {
  const prefix = fleet.owner.apiKey.split('.').slice(0, 2).join('.')
  const created = Array.from({ length: count }, () => {
    const workspaceId = newId('ws')
    return { workspaceId, clientId: newId('sp'), apiKey: `${prefix}.${workspaceId}.${randomUUID()}` }
  })
  await insertIdentities(fleet, created)
  await setRateLimits(fleet)
  const tokens = await fleet.tokenOfEach(created)
  return created.map((each, index) => ({
    ...each,
    token: tokens[index] ?? '',
    sourceId: '',
    recordIds: [],
    webhookId: '',
    subscriptions: 0,
  }))
}

async function insertIdentities(
  fleet: TestFleet,
  created: readonly Pick<LoadWorkspace, 'workspaceId' | 'clientId' | 'apiKey'>[],
): Promise<void> {
  const template = fleet.owner.workspaceId
  const ids = created.map(({ workspaceId }) => workspaceId)
  const users = created.map(() => newId('usr'))
  const keys = created.map(() => newId('akey'))
  const clients = created.map(({ clientId }) => clientId)
  const hashes = created.map(({ apiKey }) => createHash('sha256').update(apiKey).digest('hex'))
  await withClient(fleet.databases.get('auth')?.adminUrl, async (client) => {
    await client.query(
      `INSERT INTO workspaces (workspace_id, name, slug, shard, location)
       SELECT new.id, 'Load', replace(new.id, '_', '-'), w.shard, w.location
       FROM unnest($1::text[]) AS new(id), workspaces AS w WHERE w.workspace_id = $2`,
      [ids, template],
    )
    await client.query(
      `INSERT INTO users (user_id, email) SELECT id, id || '@example.com' FROM unnest($1::text[]) AS new(id)`,
      [users],
    )
    await client.query(
      `INSERT INTO memberships (workspace_id, user_id, built_in_role)
       SELECT workspace_id, user_id, 'owner' FROM unnest($1::text[], $2::text[]) AS new(workspace_id, user_id)`,
      [ids, users],
    )
    await client.query(
      `INSERT INTO service_principals (client_id, workspace_id, name, scopes, created_by)
       SELECT new.client_id, new.workspace_id, p.name, p.scopes, p.created_by
       FROM unnest($1::text[], $2::text[]) AS new(client_id, workspace_id), service_principals AS p
       WHERE p.client_id = $3`,
      [clients, ids, fleet.owner.clientId],
    )
    await client.query(
      `INSERT INTO api_keys (key_id, workspace_id, shard, location, scopes, last4, created_by, created_by_type)
       SELECT new.key_id, new.workspace_id, k.shard, k.location, k.scopes, k.last4, k.created_by, k.created_by_type
       FROM unnest($1::text[], $2::text[]) AS new(key_id, workspace_id),
         (SELECT * FROM api_keys WHERE workspace_id = $3 LIMIT 1) AS k`,
      [keys, ids, template],
    )
    await client.query(
      `INSERT INTO api_key_secrets (hash, key_id, workspace_id)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
      [hashes, keys, ids],
    )
    await client.query('ANALYZE')
  })
}
