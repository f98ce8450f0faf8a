import { isDeepStrictEqual } from 'node:util'
import type { InputOf, Page, solutions } from '@wp/contracts'
import {
  afterCursor,
  contains,
  countRows,
  definedFields,
  matchMetadata,
  newId,
  paginate,
  type Query,
  type Row,
} from '@wp/database'
import { Prisma, type Space } from '#db'
import type { Db, Tx } from './client.ts'

export type { Space }

export const spaceQuota = countRows('spaces', 'spaces')

/** The columns that a caller sets. */
export type SpaceContent = Omit<
  Prisma.SpaceUncheckedCreateInput,
  'id' | 'workspaceId' | 'openingHours' | 'createdAt' | 'updatedAt'
> & { openingHours: Prisma.InputJsonObject | null }

export type SpaceFilter = InputOf<typeof solutions.listSpaces>['query']

/** Serializes the changes of the trees of a workspace, until the end of the transaction. */
export async function lockTrees({ query }: Tx, workspaceId: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4))', [`trees/${workspaceId}`])
}

/** Returns the condition that the name or the identifier of the caller has a text, in upper or lower case. */
export const matchNames = (text: string) => ({ OR: [{ name: contains(text) }, { externalId: contains(text) }] })

/** Returns one page of the spaces of a workspace, newest first. */
export async function findSpaces(db: Db, workspaceId: string, filter: SpaceFilter): Promise<Page<Space>> {
  const { limit, cursor, ids, kind, search, parent_id: parentId, external_id: externalId, metadata } = filter
  const rows = await db.space.findMany({
    where: {
      workspaceId,
      ...definedFields({ parentId, externalId }),
      ...afterCursor(cursor),
      ...(ids !== undefined && { id: { in: [...ids] } }),
      ...(kind !== undefined && { kind: { in: [...kind] } }),
      AND: [...(matchMetadata(metadata).AND ?? []), ...(search === undefined ? [] : [matchNames(search)])],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, (row) => row)
}

export const findSpace = (db: Db, workspaceId: string, id: string): Promise<Space | null> =>
  db.space.findFirst({ where: { workspaceId, id } })

export const findSpaceByExternalId = (db: Db, workspaceId: string, externalId: string): Promise<Space | null> =>
  db.space.findFirst({ where: { workspaceId, externalId } })

export const countSpacesWithin = (db: Db, workspaceId: string, parentId: string): Promise<number> =>
  db.space.count({ where: { workspaceId, parentId } })

export const insertSpace = (db: Db, workspaceId: string, content: SpaceContent): Promise<Space> =>
  db.space.create({ data: { id: newId('spc'), workspaceId, ...content, openingHours: json(content.openingHours) } })

export async function updateSpaceRow(
  db: Db,
  workspaceId: string,
  id: string,
  { openingHours, ...columns }: Partial<SpaceContent>,
): Promise<void> {
  const hours = openingHours === undefined ? {} : { openingHours: json(openingHours) }
  await db.space.updateMany({ where: { workspaceId, id }, data: { ...columns, ...hours, updatedAt: new Date() } })
}

/** Changes those columns of a space that differ. @returns false if none does */
export async function changeSpaceRow(db: Db, stored: Space, content: Partial<SpaceContent>): Promise<boolean> {
  const { workspaceId, id } = stored
  const changed = Object.entries(content).filter(
    // The columns of the content are columns of the row.
    ([column, value]) =>
      value !== undefined && !isDeepStrictEqual(stored[column as keyof Space] ?? null, value ?? null),
  )
  if (changed.length > 0) await updateSpaceRow(db, workspaceId, id, Object.fromEntries(changed))
  return changed.length > 0
}

/** Returns all spaces of a workspace by id. */
export const findAllSpaces = async (db: Db, workspaceId: string): Promise<Map<string, Space>> =>
  new Map((await db.space.findMany({ where: { workspaceId } })).map((row) => [row.id, row]))

export async function deleteSpaceRow(db: Db, workspaceId: string, id: string): Promise<boolean> {
  return (await db.space.deleteMany({ where: { workspaceId, id } })).count > 0
}

const json = (hours: Prisma.InputJsonObject | null) => hours ?? Prisma.DbNull

/** A node of the tree of spaces. */
export type SpaceNode = Omit<
  Row<Space>,
  'workspaceId' | 'areaM2' | 'annualCost' | 'avoidableShare' | 'metadata' | 'createdAt' | 'updatedAt'
>

const nodeColumns =
  'id, parent_id, external_id, name, kind, capacity, currency, timezone, country, subdivision, opening_hours'

const columnsOf = (table: string): string => nodeColumns.replaceAll(/\w+/g, (name) => `${table}.${name}`)

/** Returns all spaces of a workspace, at most 20,000 by the quota, in the order of their ids. */
export const findSpaceNodes = (query: Query, workspaceId: string): Promise<SpaceNode[]> =>
  query<SpaceNode>(`SELECT ${nodeColumns} FROM spaces WHERE workspace_id = $1 ORDER BY id`, [workspaceId])

/** Returns the given spaces and all above them. */
export const findSpacesAbove = (query: Query, workspaceId: string, ids: readonly string[]): Promise<SpaceNode[]> =>
  query<SpaceNode>(
    `WITH RECURSIVE above AS (
       SELECT ${nodeColumns} FROM spaces WHERE workspace_id = $1 AND id = ANY ($2)
       UNION
       SELECT ${columnsOf('parent')} FROM spaces parent JOIN above ON above.parent_id = parent.id WHERE parent.workspace_id = $1)
     SELECT ${nodeColumns} FROM above`,
    [workspaceId, ids],
  )

/** Returns the given spaces with those in them, down to the ones that state their capacity. */
export const findSpacesWithin = (query: Query, workspaceId: string, ids: readonly string[]): Promise<SpaceNode[]> =>
  query<SpaceNode>(
    `WITH RECURSIVE inside AS (
       SELECT ${nodeColumns} FROM spaces WHERE workspace_id = $1 AND id = ANY ($2)
       UNION
       SELECT ${columnsOf('child')} FROM spaces child JOIN inside ON child.parent_id = inside.id
       WHERE child.workspace_id = $1 AND inside.capacity IS NULL)
     SELECT ${nodeColumns} FROM inside`,
    [workspaceId, ids],
  )

/** A space with what it costs, in minor units. */
export type CostedSpace = SpaceNode & Row<Space, 'avoidableShare'> & { annualCost: number | null }

export const findCostedSpaces = (query: Query, workspaceId: string): Promise<CostedSpace[]> =>
  query<CostedSpace>(
    `SELECT ${nodeColumns}, annual_cost::float8 AS annual_cost, avoidable_share
     FROM spaces WHERE workspace_id = $1 ORDER BY id`,
    [workspaceId],
  )
