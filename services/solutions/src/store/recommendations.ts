import type { Page } from '@wp/contracts'
import { afterCursor, newId, paginate, type ScopedClient } from '@wp/database'
import type { PrismaClient, Recommendation as Row } from '#db'
import type { Recommendation } from '../recommendations/index.ts'

type Db = ScopedClient<PrismaClient>

export type { Row as RecommendationRow }

export interface RecommendationFilter {
  limit: number
  cursor?: string | undefined
  status?: string | undefined
  forecast_run_id?: string | undefined
}

export const insertRecommendation = (
  db: Db,
  workspaceId: string,
  forecastRunId: string,
  recommendation: Recommendation,
): Promise<Row> =>
  db.recommendation.create({ data: { id: newId('rcm'), workspaceId, forecastRunId, ...recommendation } })

/** One page of a workspace's recommendations, newest first. */
export async function listRecommendations(
  db: Db,
  workspaceId: string,
  filter: RecommendationFilter,
): Promise<Page<Row>> {
  const { limit, cursor, status, forecast_run_id: forecastRunId } = filter
  const rows = await db.recommendation.findMany({
    where: {
      workspaceId,
      ...(status === undefined ? {} : { status }),
      ...(forecastRunId === undefined ? {} : { forecastRunId }),
      ...afterCursor(cursor),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, (row) => row)
}

export const findRecommendation = (db: Db, workspaceId: string, id: string): Promise<Row | null> =>
  db.recommendation.findFirst({ where: { workspaceId, id } })

/** @returns the row as it is now, null when there is none */
export async function setRecommendationStatus(
  db: Db,
  workspaceId: string,
  id: string,
  status: string,
): Promise<Row | null> {
  await db.recommendation.updateMany({ where: { workspaceId, id }, data: { status, updatedAt: new Date() } })
  return findRecommendation(db, workspaceId, id)
}
