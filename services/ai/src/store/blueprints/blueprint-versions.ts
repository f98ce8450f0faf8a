import type { Page } from '@wp/contracts'
import type { Row } from '@wp/database'
import type { BlueprintVersion as Model } from '#db'
import type { Db } from '../client.ts'
import {
  beforeVersion,
  pairVersions,
  toContent,
  toContentColumns,
  type VersionContent,
  type VersionPage,
  type VersionPair,
} from '../version-content.ts'

/** A version of a blueprint; `createdBy` is null for a built-in one. */
export interface BlueprintVersion extends Row<Model, 'version' | 'createdAt' | 'createdBy'> {
  content: VersionContent
}

type NewBlueprintVersion = Row<Model, 'workspaceId' | 'blueprintId' | 'version'> & {
  content: VersionContent
  createdBy: string
}

export async function insertBlueprintVersion(
  db: Db,
  { content, ...keys }: NewBlueprintVersion,
): Promise<BlueprintVersion> {
  return toVersion(await db.blueprintVersion.create({ data: { ...keys, ...toContentColumns(content) } }))
}

/** Returns a version; null if the workspace does not have it. */
export async function findBlueprintVersion(
  db: Db,
  workspaceId: string,
  blueprintId: string,
  version: number,
): Promise<BlueprintVersion | null> {
  const row = await db.blueprintVersion.findFirst({ where: { workspaceId, blueprintId, version } })
  return row && toVersion(row)
}

/** Returns the contents of the current versions of blueprints, by id. */
export async function findBlueprintVersions(
  db: Db,
  workspaceId: string,
  blueprints: readonly { id: string; currentVersion: number }[],
): Promise<Map<string, VersionContent>> {
  const keys = blueprints.map(({ id, currentVersion }) => ({ blueprintId: id, version: currentVersion }))
  const rows = keys.length === 0 ? [] : await db.blueprintVersion.findMany({ where: { workspaceId, OR: keys } })
  return new Map(rows.map((row) => [row.blueprintId, toContent(row)]))
}

/** Returns one page of the versions of a blueprint, newest first. */
export async function listBlueprintVersionRows(
  db: Db,
  workspaceId: string,
  blueprintId: string,
  page: VersionPage,
): Promise<Page<VersionPair<BlueprintVersion>>> {
  const rows = await db.blueprintVersion.findMany({
    where: { workspaceId, blueprintId, ...beforeVersion(page) },
    orderBy: { version: 'desc' },
    take: page.limit + 1,
  })
  return pairVersions(rows.map(toVersion), page)
}

const toVersion = (row: Model): BlueprintVersion => ({
  version: row.version,
  createdAt: row.createdAt,
  createdBy: row.createdBy,
  content: toContent(row),
})
