import type { Page } from '@wp/contracts'
import { afterCursor, newId, paginate, type ScopedClient } from '@wp/database'
import type { Prisma, PrismaClient, Recommendation as Row } from '#db'

type Db = ScopedClient<PrismaClient>

export type { Row as RecommendationRow }

export type NewRecommendation = Pick<
  Prisma.RecommendationUncheckedCreateInput,
  'kind' | 'key' | 'title' | 'rationale' | 'figures'
>

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
  recommendation: NewRecommendation,
): Promise<Row> =>
  db.recommendation.create({ data: { id: newId('rcm'), workspaceId, forecastRunId, ...recommendation } })

/** Returns one page of a workspace's recommendations, newest first. */
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

/** Updates the status. @returns the updated row, null if it does not exist */
export async function setRecommendationStatus(
  db: Db,
  workspaceId: string,
  id: string,
  status: string,
): Promise<Row | null> {
  await db.recommendation.updateMany({ where: { workspaceId, id }, data: { status, updatedAt: new Date() } })
  return findRecommendation(db, workspaceId, id)
}
