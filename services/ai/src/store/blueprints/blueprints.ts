import { type agents, type InputOf, type Page, problem } from '@wp/contracts'
import { afterCursor, matchMetadata, matchName, paginate, type Query, type Row } from '@wp/database'
import type { Blueprint as Model } from '#db'
import type { Db } from '../client.ts'
import type { VersionContent } from '../version-content.ts'
import { findBlueprintVersion, findBlueprintVersions, insertBlueprintVersion } from './blueprint-versions.ts'

/** A blueprint with the content of its current version. */
export interface Blueprint extends Row<Model, 'id' | 'externalId' | 'createdAt'> {
  version: number
  content: VersionContent
  metadata: Record<string, string>
  /** Time of the current version. */
  updatedAt: Date
}

export type BlueprintFilter = InputOf<typeof agents.listBlueprints>['query']

/** Returns one page of the blueprints of a workspace, newest first. */
export async function findBlueprints(db: Db, workspaceId: string, filter: BlueprintFilter): Promise<Page<Blueprint>> {
  const { limit, cursor, name, search, external_id: externalId, metadata } = filter
  const rows = await db.blueprint.findMany({
    where: {
      workspaceId,
      ...matchName({ name, search }),
      ...(externalId === undefined ? {} : { externalId }),
      ...matchMetadata(metadata),
      ...afterCursor(cursor),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, (row) => row)
  const contents = await findBlueprintVersions(db, workspaceId, items)
  return { items: items.flatMap((row) => toBlueprint(row, contents.get(row.id)) ?? []), nextCursor }
}

/** Returns a blueprint; null if the workspace does not have it. */
export async function findBlueprint(db: Db, workspaceId: string, id: string): Promise<Blueprint | null> {
  const row = await db.blueprint.findFirst({ where: { workspaceId, id } })
  if (row === null) return null
  return toBlueprint(row, (await findBlueprintVersion(db, workspaceId, id, row.currentVersion))?.content) ?? null
}

/**
 * Locks a blueprint until the end of the transaction, so that its versions have consecutive numbers. @throws Problem
 * `not_found`
 */
export async function lockBlueprint(query: Query, workspaceId: string, id: string): Promise<void> {
  const rows = await query('SELECT FROM blueprints WHERE workspace_id = $1 AND id = $2 FOR UPDATE', [workspaceId, id])
  if (rows.length === 0) throw problem('not_found')
}

export interface NewBlueprint extends Pick<Blueprint, 'id' | 'content' | 'metadata' | 'externalId'> {
  createdBy: string
}

/** Inserts a blueprint with its first version. */
export async function insertBlueprint(db: Db, workspaceId: string, blueprint: NewBlueprint): Promise<Blueprint> {
  const { id, content, metadata, externalId, createdBy } = blueprint
  const row = await db.blueprint.create({ data: { id, workspaceId, name: content.name, metadata, externalId } })
  await insertBlueprintVersion(db, { workspaceId, blueprintId: id, version: row.currentVersion, content, createdBy })
  return toStoredBlueprint(row, content)
}

/** Makes the content the next version of a locked blueprint. */
export async function insertNextVersion(
  db: Db,
  workspaceId: string,
  { id, version, content, createdBy }: Pick<Blueprint, 'id' | 'version' | 'content'> & { createdBy: string },
): Promise<Blueprint> {
  const next = version + 1
  const { createdAt } = await insertBlueprintVersion(db, {
    workspaceId,
    blueprintId: id,
    version: next,
    content,
    createdBy,
  })
  const data = { currentVersion: next, name: content.name, updatedAt: createdAt }
  return toStoredBlueprint(await db.blueprint.update({ where: { id }, data }), content)
}

const toBlueprint = (row: Model, content: VersionContent | undefined): Blueprint | undefined =>
  content === undefined ? undefined : toStoredBlueprint(row, content)

const toStoredBlueprint = (row: Model, content: VersionContent): Blueprint => ({
  id: row.id,
  version: row.currentVersion,
  content,
  externalId: row.externalId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  metadata: row.metadata as Blueprint['metadata'], // written by this service alone
})
