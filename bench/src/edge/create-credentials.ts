import { createHash, randomUUID } from 'node:crypto'
import { newId } from '@wp/database'
import type { TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { setRateLimits } from './edge-fleet.ts'

/** Lifts the rate limits and creates API keys of one workspace. @returns a header line for each key */
export async function createApiKeys(fleet: TestFleet, count: number): Promise<string[]> {
  await setRateLimits(fleet)
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  const prefix = fleet.owner.apiKey.slice(0, fleet.owner.apiKey.lastIndexOf('.') + 1)
  const keys = Array.from({ length: count }, () => prefix + randomUUID())
  const ids = keys.map(() => newId('akey'))
  const hashes = keys.map((key) => createHash('sha256').update(key).digest('hex'))
  await database.query(
    `INSERT INTO api_keys (key_id, workspace_id, shard, location, scopes, last4, created_by, created_by_type)
     SELECT new.id, k.workspace_id, k.shard, k.location, k.scopes, k.last4, k.created_by, k.created_by_type
     FROM unnest($1::text[]) AS new(id), (SELECT * FROM api_keys WHERE workspace_id = $2 LIMIT 1) AS k`,
    [ids, fleet.owner.workspaceId],
  )
  await database.query(
    `INSERT INTO api_key_secrets (hash, key_id, workspace_id)
     SELECT new.hash, new.id, $3 FROM unnest($1::text[], $2::text[]) AS new(hash, id)`,
    [hashes, ids, fleet.owner.workspaceId],
  )
  await database.end()
  return keys.map((key) => `x-api-key: ${key}`)
}

/** Creates access tokens of one service principal. @returns a header line for each token */
export const createAccessTokens = async (fleet: TestFleet, count: number): Promise<string[]> =>
  (await fleet.tokens(fleet.owner, count)).map((token) => `authorization: Bearer ${token}`)
