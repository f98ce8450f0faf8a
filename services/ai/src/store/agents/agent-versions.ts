import type { Page } from '@wp/contracts'
import type { Row } from '@wp/database'
import type { AgentVersion as Model } from '#db'
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

/** The content of a version of an agent. Immutable. */
export interface AgentContent extends VersionContent, Row<Model, 'blueprintId' | 'blueprintVersion'> {
  /** Empty for all data sources that the caller of a run may read. */
  dataSourceIds: string[]
}

/** A version of an agent. */
export interface AgentVersion extends Row<Model, 'agentId' | 'version' | 'createdAt' | 'createdBy'> {
  content: AgentContent
}

type NewAgentVersion = Row<Model, 'workspaceId' | 'agentId' | 'version'> & { content: AgentContent; createdBy: string }

export async function insertAgentVersion(db: Db, { content, ...keys }: NewAgentVersion): Promise<void> {
  const { dataSourceIds, blueprintId, blueprintVersion } = content
  await db.agentVersion.create({
    data: { ...keys, ...toContentColumns(content), dataSourceIds, blueprintId, blueprintVersion },
  })
}

/** Adds the next version of a locked agent, which does not become the current one. */
export async function addAgentVersion(db: Db, version: Omit<NewAgentVersion, 'version'>): Promise<AgentVersion> {
  const { workspaceId, agentId } = version
  const { _max: last } = await db.agentVersion.aggregate({ where: { workspaceId, agentId }, _max: { version: true } })
  const next = (last.version ?? 0) + 1
  await insertAgentVersion(db, { ...version, version: next })
  const inserted = await findAgentVersion(db, workspaceId, agentId, next)
  if (inserted === null) throw new Error(`the version ${next} of ${agentId} was not written`)
  return inserted
}

/** Returns a version, also of a deleted agent; null if the workspace does not have it. */
export async function findAgentVersion(
  db: Db,
  workspaceId: string,
  agentId: string,
  version: number,
): Promise<AgentVersion | null> {
  const row = await db.agentVersion.findFirst({ where: { workspaceId, agentId, version } })
  return row && toVersion(row)
}

/** Returns the contents of the current versions of agents, by id. */
export async function findAgentVersions(
  db: Db,
  workspaceId: string,
  agents: readonly { id: string; currentVersion: number }[],
): Promise<Map<string, AgentContent>> {
  const keys = agents.map(({ id, currentVersion }) => ({ agentId: id, version: currentVersion }))
  const rows = keys.length === 0 ? [] : await db.agentVersion.findMany({ where: { workspaceId, OR: keys } })
  return new Map(rows.map((row) => [row.agentId, toVersion(row).content]))
}

/** Returns one page of the versions of an agent, newest first. */
export async function listAgentVersionRows(
  db: Db,
  workspaceId: string,
  agentId: string,
  page: VersionPage,
): Promise<Page<VersionPair<AgentVersion>>> {
  const rows = await db.agentVersion.findMany({
    where: { workspaceId, agentId, ...beforeVersion(page) },
    orderBy: { version: 'desc' },
    take: page.limit + 1,
  })
  return pairVersions(rows.map(toVersion), page)
}

const toVersion = (row: Model): AgentVersion => ({
  agentId: row.agentId,
  version: row.version,
  createdAt: row.createdAt,
  createdBy: row.createdBy,
  content: {
    ...toContent(row),
    dataSourceIds: row.dataSourceIds as string[], // written by this service alone
    blueprintId: row.blueprintId,
    blueprintVersion: row.blueprintVersion,
  },
})
