import { createHash, randomUUID } from 'node:crypto'
import { newId } from '@wp/database'
import type { TestFleet } from '@wp/testkit'
import { Client } from 'pg'

/** API keys of one workspace, whose limits are lifted, as header lines. */
export async function createApiKeys(fleet: TestFleet, credentials: number): Promise<string[]> {
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query('UPDATE workspaces SET credential_per_minute = 1000000000, workspace_per_minute = 1000000000')
  const prefix = fleet.owner.apiKey.slice(0, fleet.owner.apiKey.lastIndexOf('.') + 1)
  const keys = Array.from({ length: credentials }, () => prefix + randomUUID())
  const ids = keys.map(() => newId('akey'))
  const hashes = keys.map((key) => createHash('sha256').update(key).digest('hex'))
  await database.query(
    `INSERT INTO api_keys (key_id, workspace_id, shard, location, scopes, last4, created_by, created_by_type)
     SELECT made.id, one.workspace_id, one.shard, one.location, one.scopes, one.last4, one.created_by, one.created_by_type
     FROM unnest($1::text[]) AS made(id), (SELECT * FROM api_keys WHERE workspace_id = $2 LIMIT 1) AS one`,
    [ids, fleet.owner.workspaceId],
  )
  await database.query(
    `INSERT INTO api_key_secrets (hash, key_id, workspace_id)
     SELECT made.hash, made.id, $3 FROM unnest($1::text[], $2::text[]) AS made(hash, id)`,
    [hashes, ids, fleet.owner.workspaceId],
  )
  await database.end()
  return keys.map((key) => `x-api-key: ${key}`)
}

/** Access tokens of one service principal, as header lines. */
export const createAccessTokens = async (fleet: TestFleet, credentials: number): Promise<string[]> =>
  (await fleet.tokens(fleet.owner, credentials)).map((token) => `authorization: Bearer ${token}`)
