import type { InputOf, Page, PlanContent, solutions } from '@wp/contracts'
import { afterCursor, mapPage, newId, paginateBy, type Query, type Row } from '@wp/database'
import type { RetentionRule } from '@wp/jobs/background'
import type { Plan as Model } from '#db'
import type { Db } from './client.ts'

/** The content as it is stored. Plans that were made before it existed do not have the datasets they rest on. */
export type StoredContent = PlanContent & { rests_on?: { id: string; name: string }[] }

/** A row of `plans`; dates are texts such as `2026-03-05`. */
export type Plan = Omit<Row<Model>, 'date' | 'content'> & { date: string; content: StoredContent }

/** A plan without its content. */
export type ListedPlan = Omit<Plan, 'content'>

const listedFields = {
  id: true,
  workspaceId: true,
  planScheduleId: true,
  spaceId: true,
  spaceName: true,
  date: true,
  title: true,
  headline: true,
  createdAt: true,
} as const

export type PlanFilter = InputOf<typeof solutions.listPlans>['query']

/** Returns one page of the plans of a workspace, newest first. */
export async function findPlans(
  db: Db,
  workspaceId: string,
  { limit, cursor, space_id: spaceId, since, until }: PlanFilter,
): Promise<Page<ListedPlan>> {
  const range = {
    ...(since === undefined ? {} : { gte: new Date(since) }),
    ...(until === undefined ? {} : { lt: new Date(until) }),
  }
  const rows = await db.plan.findMany({
    select: listedFields,
    where: { workspaceId, ...(spaceId === undefined ? {} : { spaceId }), date: range, ...afterCursor(cursor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return mapPage(paginateBy(rows, limit, 'id'), (row) => ({ ...row, date: dateText(row.date) }))
}

export async function findPlan(db: Db, workspaceId: string, id: string): Promise<Plan | null> {
  const row = await db.plan.findFirst({ where: { workspaceId, id } })
  return row === null ? null : toPlan(row)
}

/** Returns the plan of a space and local day. */
export async function findPlanOfDay(db: Db, workspaceId: string, spaceId: string, date: string): Promise<Plan | null> {
  const row = await db.plan.findFirst({ where: { workspaceId, spaceId, date: new Date(date) } })
  return row === null ? null : toPlan(row)
}

const toPlan = (row: Model): Plan => ({ ...row, date: dateText(row.date) }) as Plan // the content is written by this service alone

const dateText = (date: Date): string => date.toISOString().slice(0, 10)

export type NewPlan = Pick<Plan, 'planScheduleId' | 'spaceId' | 'spaceName' | 'date' | 'title' | 'headline' | 'content'>

/** Stores the plan of a day. @returns its id; undefined if the space has a plan of this day */
export async function insertPlan(query: Query, workspaceId: string, plan: NewPlan): Promise<string | undefined> {
  const { planScheduleId, spaceId, spaceName, date, title, headline, content } = plan
  const [row] = await query<Row<Model, 'id'>>(
    `INSERT INTO plans (id, workspace_id, plan_schedule_id, space_id, space_name, date, title, headline, content)
     VALUES ($1, $2, $3, $4, $5, $6::date, $7, $8, $9)
     ON CONFLICT (workspace_id, space_id, date) DO NOTHING RETURNING id`,
    [
      ...[newId('dpl'), workspaceId, planScheduleId, spaceId, spaceName, date, title, headline],
      JSON.stringify(content),
    ],
  )
  return row?.id
}

/** A plan with the people that it expected. */
export interface ExpectedPlan {
  id: string
  date: string
  spaceId: string
  spaceName: string
  expected: number | null
  /** Null of plans that were made before there was more than one. */
  measure: 'attendance' | 'peak' | null
  floors: (Pick<ExpectedPlan, 'id' | 'expected' | 'measure'> & { name: string; isClosed: boolean })[]
}

/** Returns what the last plans of a space before a day expected, the newest first. */
export const findPlansBefore = (
  query: Query,
  workspaceId: string,
  { spaceId, date, limit }: { spaceId: string; date: string; limit: number },
): Promise<ExpectedPlan[]> =>
  query<ExpectedPlan>(
    `SELECT id, date::text, space_id, space_name, (content -> 'expected' ->> 'mean')::float8 AS expected,
       content -> 'expected' ->> 'measure' AS measure,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', floor ->> 'space_id', 'name', floor ->> 'name',
           'expected', (floor -> 'expected' ->> 'mean')::float8, 'measure', floor -> 'expected' ->> 'measure',
           'isClosed', (floor ->> 'is_closed')::boolean)), '[]')
        FROM jsonb_array_elements(content -> 'floors') AS floor) AS floors
     FROM plans WHERE workspace_id = $1 AND space_id = $2 AND date < $3::date
     ORDER BY date DESC LIMIT $4`,
    [workspaceId, spaceId, date, limit],
  )

export const planRetention: RetentionRule = { table: 'plans', column: 'created_at', period: '2 years' }
