import {
  type agents,
  type GraderModel,
  type InputOf,
  type JobError,
  type JobState,
  type Page,
  problem,
} from '@wp/contracts'
import { afterCursor, definedFields, paginate, type Query, type Row } from '@wp/database'
import { type Evaluation as Model, Prisma } from '#db'
import type { Db } from '../client.ts'
import { toJsonb } from '../storable-json.ts'

/** An evaluation of a version of an agent with the cases of a set. */
export interface EvaluationRow extends Row<Omit<Model, 'grader' | 'status' | 'error'>> {
  grader: GraderModel | null
  status: JobState
  error: JobError | null
}

export type NewEvaluationRow = Omit<EvaluationRow, 'status' | 'error' | 'createdAt' | 'startedAt' | 'finishedAt'>

export async function insertEvaluation(db: Db, { grader, ...columns }: NewEvaluationRow): Promise<EvaluationRow> {
  return toEvaluation(await db.evaluation.create({ data: { ...columns, grader: grader ?? Prisma.DbNull } }))
}

type EvaluationFilter = InputOf<typeof agents.listEvaluations>['query']

/** Returns one page of the evaluations of a workspace, newest first. */
export async function findEvaluations(
  db: Db,
  workspaceId: string,
  { limit, cursor, agent_id: agentId, evaluation_set_id: setId, version, status }: EvaluationFilter,
): Promise<Page<EvaluationRow>> {
  const rows = await db.evaluation.findMany({
    where: { workspaceId, ...definedFields({ agentId, setId, version, status }), ...afterCursor(cursor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, (row) => row)
  return { items: items.map(toEvaluation), nextCursor }
}

/** @throws Problem `not_found` */
export async function findEvaluation(db: Db, workspaceId: string, id: string): Promise<EvaluationRow> {
  const row = await db.evaluation.findFirst({ where: { workspaceId, id } })
  if (row === null) throw problem('not_found')
  return toEvaluation(row)
}

/** Returns the last finished evaluation of a version with a set; null if there is none. */
export async function findLastFinished(
  db: Db,
  workspaceId: string,
  key: { agentId: string; version: number; setId: string },
): Promise<EvaluationRow | null> {
  const row = await db.evaluation.findFirst({
    where: { workspaceId, ...key, status: 'finished' },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  return row && toEvaluation(row)
}

/** Returns true if an evaluation with the set is queued or running. */
export async function isSetInUse(db: Db, workspaceId: string, setId: string): Promise<boolean> {
  const where = { workspaceId, setId, status: { in: ['queued', 'running'] } }
  return (await db.evaluation.count({ where })) > 0
}

export async function deleteEvaluationRow(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.evaluationResult.deleteMany({ where: { workspaceId, evaluationId: id } })
  await db.evaluation.deleteMany({ where: { workspaceId, id } })
}

export interface EvaluationKey {
  workspaceId: string
  id: string
}

/** Notes that an evaluation has begun. */
export async function writeEvaluationStart(query: Query, { workspaceId, id }: EvaluationKey): Promise<void> {
  await query(
    `UPDATE evaluations SET status = 'running', started_at = now()
     WHERE workspace_id = $1 AND id = $2 AND status = 'queued'`,
    [workspaceId, id],
  )
}

/** Ends an evaluation in the transaction that ends its job. */
export async function writeEvaluationEnd(
  query: Query,
  { workspaceId, id }: EvaluationKey,
  status: 'finished' | 'failed' | 'cancelled',
  error: JobError | null = null,
): Promise<void> {
  await query(
    `UPDATE evaluations SET status = $3, error = $4, finished_at = now()
     WHERE workspace_id = $1 AND id = $2 AND status IN ('queued', 'running')`,
    [workspaceId, id, status, error === null ? null : toJsonb(error)],
  )
}

/** The casts hold because only this service writes the columns. */
const toEvaluation = ({ grader, status, error, ...row }: Model): EvaluationRow => ({
  ...row,
  grader: grader as GraderModel | null,
  status: status as JobState,
  error: error as JobError | null,
})
