import { randomBytes } from 'node:crypto'
import type { Query, Row } from '@wp/database'
import type { WorkplacePerson, WorkplaceSettings } from '#db'

/** The least number of people that a figure may tell about, unless a workspace sets more. */
export const defaultPrivacyThreshold = 5

export async function readPrivacyThreshold(query: Query, workspaceId: string): Promise<number> {
  const [row] = await query<Row<WorkplaceSettings, 'privacyThreshold'>>(
    'SELECT privacy_threshold FROM workplace_settings WHERE workspace_id = $1',
    [workspaceId],
  )
  return row?.privacyThreshold ?? defaultPrivacyThreshold
}

export async function setPrivacyThreshold(query: Query, workspaceId: string, threshold: number): Promise<void> {
  await query(
    `INSERT INTO workplace_settings (workspace_id, privacy_threshold, salt) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id) DO UPDATE SET privacy_threshold = excluded.privacy_threshold`,
    [workspaceId, threshold, randomBytes(saltBytes)],
  )
}
const saltBytes = 16

/** Returns the salt of the workspace, made at its first use. */
export async function readSalt(query: Query, workspaceId: string): Promise<Uint8Array> {
  await query(
    `INSERT INTO workplace_settings (workspace_id, salt) VALUES ($1, $2) ON CONFLICT (workspace_id) DO NOTHING`,
    [workspaceId, randomBytes(saltBytes)],
  )
  const [row] = await query<Row<WorkplaceSettings, 'salt'>>(
    'SELECT salt FROM workplace_settings WHERE workspace_id = $1',
    [workspaceId],
  )
  if (row === undefined) throw new Error(`the workspace ${workspaceId} has no salt`)
  return row.salt
}

/** Returns the number of each person, new ones included. */
export async function numberPeople(
  query: Query,
  workspaceId: string,
  digests: readonly Uint8Array[],
): Promise<Row<WorkplacePerson, 'digest' | 'personId'>[]> {
  await query(
    `INSERT INTO workplace_people (workspace_id, digest)
     SELECT $1, given.digest FROM unnest($2::bytea[]) AS given (digest)
     WHERE NOT EXISTS (SELECT FROM workplace_people known WHERE known.workspace_id = $1 AND known.digest = given.digest)
     ORDER BY given.digest ON CONFLICT DO NOTHING`,
    [workspaceId, digests],
  )
  return query('SELECT digest, person_id FROM workplace_people WHERE workspace_id = $1 AND digest = ANY ($2)', [
    workspaceId,
    digests,
  ])
}
