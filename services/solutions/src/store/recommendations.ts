import type { InputOf, Page, solutions } from '@wp/contracts'
import { afterCursor, definedFields, newId, paginate } from '@wp/database'
import { Prisma, type Recommendation as Row } from '#db'
import type { Db, Tx } from './client.ts'

export type { Row as RecommendationRow }

export type NewRecommendation = Omit<
  Prisma.RecommendationUncheckedCreateInput,
  'id' | 'workspaceId' | 'forecastRunId' | 'lastRunId' | 'status' | 'followUp' | 'createdAt' | 'updatedAt'
>

export type RecommendationFilter = InputOf<typeof solutions.listRecommendations>['query']

export const insertRecommendation = (
  db: Db,
  workspaceId: string,
  forecastRunId: string,
  recommendation: NewRecommendation,
): Promise<Row> =>
  db.recommendation.create({ data: { id: newId('rcm'), workspaceId, forecastRunId, ...recommendation } })

/** Replaces the content of an open recommendation with that of a later run. */
export async function refreshRecommendation(
  db: Db,
  workspaceId: string,
  id: string,
  runId: string,
  recommendation: NewRecommendation,
): Promise<void> {
  const data = { ...recommendation, lastRunId: runId, updatedAt: new Date() }
  await db.recommendation.updateMany({ where: { workspaceId, id, status: 'open' }, data })
}

/** Returns the recommendations with one of these fingerprints that affect what a run recommends. */
export const findPreviousRecommendations = (
  db: Db,
  workspaceId: string,
  fingerprints: string[],
  dismissedSince: Date,
): Promise<Row[]> =>
  db.recommendation.findMany({
    where: {
      workspaceId,
      fingerprint: { in: fingerprints },
      OR: [
        { status: 'open' },
        { status: 'accepted', followUp: { path: ['status'], equals: 'pending' } },
        { status: 'dismissed', updatedAt: { gt: dismissedSince } },
      ],
    },
  })

/** Accepted closures of floors that are followed up at once; more wait for the next forecast. */
const maxFollowed = 50

/** Returns the accepted closures of floors that wait for their follow-up, oldest first. */
export const findAcceptedClosures = (db: Db, workspaceId: string): Promise<Row[]> =>
  db.recommendation.findMany({
    where: {
      workspaceId,
      status: 'accepted',
      scenarioId: { not: null },
      followUp: { path: ['status'], equals: 'pending' },
    },
    orderBy: { updatedAt: 'asc' },
    take: maxFollowed,
  })

export async function setFollowUp(
  db: Db,
  workspaceId: string,
  id: string,
  followUp: Prisma.InputJsonObject,
): Promise<void> {
  await db.recommendation.updateMany({
    where: { workspaceId, id, status: 'accepted' },
    data: { followUp, updatedAt: new Date() },
  })
}

/** Deletes the open recommendations that a run was the last one to find. */
export async function deleteOpenOfRun(db: Db, workspaceId: string, runId: string): Promise<void> {
  const found = { OR: [{ lastRunId: runId }, { lastRunId: null, forecastRunId: runId }] }
  await db.recommendation.deleteMany({ where: { workspaceId, status: 'open', ...found } })
}

/**
 * Takes a scenario from the recommendations that rest on it: open ones are deleted, and no follow-up of an accepted one
 * is waited for any more.
 */
export async function detachScenario({ db, query }: Tx, workspaceId: string, scenarioId: string): Promise<void> {
  await db.recommendation.deleteMany({ where: { workspaceId, scenarioId, status: 'open' } })
  await query(
    `UPDATE recommendations SET scenario_id = NULL, follow_up = CASE follow_up ->> 'status'
       WHEN 'pending' THEN jsonb_set(follow_up, '{status}', '"unknown"') ELSE follow_up END
     WHERE workspace_id = $1 AND scenario_id = $2`,
    [workspaceId, scenarioId],
  )
}

/** Serializes the runs of a workspace that write recommendations, until the end of the transaction. */
export async function lockRecommendations({ query }: Tx, workspaceId: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 3))', [`recommendations/${workspaceId}`])
}

/** Returns one page of a workspace's recommendations, newest first. */
export async function findRecommendations(
  db: Db,
  workspaceId: string,
  filter: RecommendationFilter,
): Promise<Page<Row>> {
  const { limit, cursor, status, kind, forecast_run_id: forecastRunId } = filter
  const rows = await db.recommendation.findMany({
    where: {
      workspaceId,
      ...definedFields({ status, kind }),
      ...(forecastRunId === undefined ? {} : { AND: [{ OR: [{ forecastRunId }, { lastRunId: forecastRunId }] }] }),
      ...afterCursor(cursor),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return paginate(rows, limit, (row) => row)
}

export const findRecommendation = (db: Db, workspaceId: string, id: string): Promise<Row | null> =>
  db.recommendation.findFirst({ where: { workspaceId, id } })

/** Updates the status and the follow-up. @returns the updated row, null if it does not exist */
export async function setRecommendationStatus(
  db: Db,
  workspaceId: string,
  id: string,
  status: string,
  followUp: Prisma.InputJsonObject | null,
): Promise<Row | null> {
  await db.recommendation.updateMany({
    where: { workspaceId, id },
    data: { status, followUp: followUp ?? Prisma.DbNull, updatedAt: new Date() },
  })
  return findRecommendation(db, workspaceId, id)
}
