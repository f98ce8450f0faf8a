import { type GraderModel, type Page, problem } from '@wp/contracts'
import { afterCursor, matchName, paginate, type Query, type Row } from '@wp/database'
import { type EvaluationSet as Model, Prisma } from '#db'
import type { Db } from '../client.ts'

/** Questions with what their answers must be. */
export interface EvaluationSetRow
  extends Row<Model, 'id' | 'name' | 'description' | 'revision' | 'caseCount' | 'createdAt' | 'updatedAt'> {
  grader: GraderModel | null
}

/** Returns one page of the sets of a workspace, newest first. */
export async function findEvaluationSets(
  db: Db,
  workspaceId: string,
  { limit, cursor, search }: { limit: number; cursor?: string | undefined; search?: string | undefined },
): Promise<Page<EvaluationSetRow>> {
  const rows = await db.evaluationSet.findMany({
    where: { workspaceId, ...matchName({ name: undefined, search }), ...afterCursor(cursor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, (row) => row)
  return { items: items.map(toSet), nextCursor }
}

/** Returns a set; null if the workspace has none with this id. */
export async function readEvaluationSet(db: Db, workspaceId: string, id: string): Promise<EvaluationSetRow | null> {
  const row = await db.evaluationSet.findFirst({ where: { workspaceId, id } })
  return row && toSet(row)
}

/** @throws Problem `not_found` */
export async function findEvaluationSet(db: Db, workspaceId: string, id: string): Promise<EvaluationSetRow> {
  const set = await readEvaluationSet(db, workspaceId, id)
  if (set === null) throw problem('not_found')
  return set
}

/** Locks a set until the end of the transaction, for a change of it or of its cases. @throws Problem `not_found` */
export async function lockEvaluationSet(query: Query, workspaceId: string, id: string): Promise<void> {
  const rows = await query('SELECT FROM evaluation_sets WHERE workspace_id = $1 AND id = $2 FOR UPDATE', [
    ...[workspaceId, id],
  ])
  if (rows.length === 0) throw problem('not_found')
}

type SetFields = Pick<EvaluationSetRow, 'name' | 'description' | 'grader'>

const columnsOf = ({ grader, ...columns }: Partial<SetFields>) => ({
  ...columns,
  ...(grader === undefined ? {} : { grader: grader ?? Prisma.DbNull }),
})

export const insertEvaluationSet = async (
  db: Db,
  workspaceId: string,
  { id, ...fields }: SetFields & { id: string },
): Promise<EvaluationSetRow> =>
  toSet(
    await db.evaluationSet.create({
      data: { id, workspaceId, name: fields.name, description: fields.description, ...columnsOf(fields) },
    }),
  )

/** Changes a locked set. @param isRevised true if its evaluations so far no longer count */
export const updateEvaluationSetRow = async (
  db: Db,
  id: string,
  fields: Partial<SetFields>,
  { isRevised, updatedAt }: { isRevised: boolean; updatedAt: Date },
): Promise<EvaluationSetRow> => {
  const revision = isRevised ? { revision: { increment: 1 } } : {}
  return toSet(await db.evaluationSet.update({ where: { id }, data: { ...columnsOf(fields), ...revision, updatedAt } }))
}

/** Gives a locked set the next revision, and counts its cases. */
export async function reviseEvaluationSet(query: Query, workspaceId: string, id: string): Promise<number> {
  const [row] = await query<{ caseCount: number }>(
    `UPDATE evaluation_sets SET revision = revision + 1, updated_at = now(), case_count =
       (SELECT count(*) FROM evaluation_cases WHERE workspace_id = $1 AND set_id = $2)
     WHERE workspace_id = $1 AND id = $2 RETURNING case_count`,
    [workspaceId, id],
  )
  return row?.caseCount ?? 0
}

/** Deletes a locked set with its cases, evaluations and results. */
export async function deleteEvaluationSetRows(query: Query, workspaceId: string, id: string): Promise<void> {
  const values = [workspaceId, id]
  await query(
    `DELETE FROM evaluation_results WHERE workspace_id = $1 AND evaluation_id IN
       (SELECT id FROM evaluations WHERE workspace_id = $1 AND set_id = $2)`,
    values,
  )
  await query('DELETE FROM evaluations WHERE workspace_id = $1 AND set_id = $2', values)
  await query('DELETE FROM evaluation_cases WHERE workspace_id = $1 AND set_id = $2', values)
  await query('DELETE FROM evaluation_sets WHERE workspace_id = $1 AND id = $2', values)
}

/** Returns the name of an agent whose gate names a set; undefined if there is none. */
export async function findGatedAgent(query: Query, workspaceId: string, setId: string): Promise<string | undefined> {
  const [agent] = await query<{ name: string }>(
    `SELECT name FROM agents WHERE workspace_id = $1 AND gate ->> 'evaluation_set_id' = $2 LIMIT 1`,
    [workspaceId, setId],
  )
  return agent?.name
}

const toSet = (row: Model): EvaluationSetRow => ({
  ...row,
  grader: row.grader as GraderModel | null, // written by this service alone
})
