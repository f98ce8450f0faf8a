import { randomBytes } from 'node:crypto'
import { type Page, problem } from '@wp/contracts'
import { type Database, decodeCursor, definedFields, paginateBy, type Query, type Row } from '@wp/database'
import type { Workspace } from '#db'
import type { Tx } from '../client.ts'
import { workerQuery } from '../cross-workspace.ts'

/** Location of a workspace: a shard (cell) and the region it runs in. */
export type Placement = Row<Workspace, 'shard' | 'location'>

export interface WorkspacePlacement extends Placement, Row<Workspace, 'workspaceId'> {}

export interface WorkspaceRow
  extends WorkspacePlacement,
    Row<Workspace, 'name' | 'slug' | 'timezone' | 'locale' | 'createdAt' | 'updatedAt'> {
  metadata: Record<string, string>
  /** Role of the requested principal; null if it has none. */
  role: string | null
}

const columns = `w.workspace_id, w.name, w.slug, w.shard, w.location, w.metadata, w.timezone, w.locale, w.created_at,
  w.updated_at, coalesce(m.built_in_role, r.name) AS role`
const roleJoins = `LEFT JOIN memberships m ON m.workspace_id = w.workspace_id AND m.user_id = $1
     LEFT JOIN roles r ON r.role_id = m.role_id`

/** Returns a workspace. @param principalId the principal whose role is returned @throws Problem `not_found` */
export async function requireWorkspace(query: Query, workspaceId: string, principalId: string): Promise<WorkspaceRow> {
  const [row] = await query<WorkspaceRow>(
    `SELECT ${columns} FROM workspaces w ${roleJoins} WHERE w.workspace_id = $2 AND w.deleted_at IS NULL`,
    [principalId, workspaceId],
  )
  if (row === undefined) throw problem('not_found')
  return row
}

/** Returns the placement of a workspace. @throws Problem `not_found` if it is deleted */
export async function requireWorkspacePlacement(tx: Tx, workspaceId: string): Promise<WorkspacePlacement> {
  const row = await tx.db.workspace.findFirst({ where: { workspaceId, deletedAt: null } })
  if (row === null) throw problem('not_found')
  return { workspaceId, shard: row.shard, location: row.location }
}

/** Switches the transaction to a workspace whose shard is unknown. @returns false if the workspace is deleted */
export async function switchToWorkspace(tx: Tx, workspaceId: string): Promise<boolean> {
  // The shard can be read only inside the workspace (row-level security); until then no event may be emitted.
  await tx.switchWorkspace({ workspaceId, shard: '' })
  const row = await tx.db.workspace.findFirst({ where: { workspaceId, deletedAt: null } })
  if (row !== null) await tx.switchWorkspace({ workspaceId, shard: row.shard })
  return row !== null
}

interface WorkspacePageOptions {
  limit: number
  cursor?: string | undefined
  /** Pairs that the metadata of a workspace must have. */
  metadata?: Readonly<Record<string, string>> | undefined
}

/** Lists the workspaces of a user, newest first. The worker role reads them because they span workspaces. */
export async function listWorkspacesOfUser(
  pool: Database['worker'],
  userId: string,
  { limit, cursor, metadata }: WorkspacePageOptions,
): Promise<Page<WorkspaceRow>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await workerQuery(pool)<WorkspaceRow>(
    `SELECT ${columns} FROM memberships m
     JOIN workspaces w ON w.workspace_id = m.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = m.role_id
     WHERE m.user_id = $1 AND w.metadata @> $3::jsonb
       ${after === undefined ? '' : 'AND (w.created_at, w.workspace_id) < ($4, $5)'}
     ORDER BY w.created_at DESC, w.workspace_id DESC LIMIT $2`,
    [userId, limit + 1, JSON.stringify(metadata ?? {}), ...(after === undefined ? [] : [after.createdAt, after.id])],
  )
  return paginateBy(rows, limit, 'workspaceId')
}

/** Finds a workspace of a user; undefined if there is none or the user is not a member. */
export async function findWorkspaceOfUser(
  pool: Database['worker'],
  userId: string,
  workspaceId: string,
): Promise<WorkspaceRow | undefined> {
  const [row] = await workerQuery(pool)<WorkspaceRow>(
    `SELECT ${columns} FROM memberships m
     JOIN workspaces w ON w.workspace_id = m.workspace_id AND w.deleted_at IS NULL
     LEFT JOIN roles r ON r.role_id = m.role_id
     WHERE m.user_id = $1 AND m.workspace_id = $2`,
    [userId, workspaceId],
  )
  return row
}

interface NewWorkspace extends WorkspacePlacement {
  name: string
  metadata: Record<string, string>
  ownerId: string
}

/** Inserts a workspace with its owner and switches the transaction to it. */
export async function insertWorkspace(tx: Tx, workspace: NewWorkspace): Promise<void> {
  const { workspaceId, name, shard, location, metadata, ownerId } = workspace
  await tx.switchWorkspace({ workspaceId, shard })
  await insertWithSlug(tx.query, [workspaceId, name, shard, location, JSON.stringify(metadata)], slugCandidates(name))
  const membership = `INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'owner')`
  await tx.query(membership, [workspaceId, ownerId])
}

/** Tries slugs until one is free. Row-level security hides other workspaces, so only the unique index can decide. */
async function insertWithSlug(query: Query, values: string[], slugs: Iterable<string>): Promise<void> {
  for (const slug of slugs) {
    const [row] = await query(
      `INSERT INTO workspaces (workspace_id, name, shard, location, metadata, slug) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (slug) DO NOTHING RETURNING workspace_id`,
      [...values, slug],
    )
    if (row !== undefined) return
  }
  throw new Error('no free slug')
}

/**
 * Locks the workspace and returns its metadata, so that concurrent merges are serialized.
 * @throws Problem `not_found`
 */
export async function lockWorkspaceMetadata({ query }: Tx, workspaceId: string): Promise<Record<string, string>> {
  const [row] = await query<{ metadata: Record<string, string> }>(
    'SELECT metadata FROM workspaces WHERE workspace_id = $1 AND deleted_at IS NULL FOR UPDATE',
    [workspaceId],
  )
  if (row === undefined) throw problem('not_found')
  return row.metadata
}

/** Updates name, metadata and settings of a workspace. @throws Problem `not_found` */
export async function updateWorkspaceRow(
  tx: Tx,
  workspaceId: string,
  changes: Partial<Record<'name' | 'timezone' | 'locale', string | undefined>> & {
    metadata: Record<string, string> | undefined
  },
): Promise<void> {
  const where = { workspaceId, deletedAt: null }
  const { count } = await tx.db.workspace.updateMany({ where, data: definedFields(changes) })
  if (count === 0) throw problem('not_found')
}

/**
 * Yields candidate slugs for a name: lower case, words joined by `-`, at most 48 characters; then with random suffixes.
 */
export function* slugCandidates(name: string): Generator<string> {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '')
  const base = plain === '' ? 'workspace' : plain
  yield base
  for (let attempt = 0; attempt < 5; attempt += 1) yield `${base}-${randomBytes(4).toString('hex')}`
}
