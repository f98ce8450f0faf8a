import { type EvaluationExpectation, type Page, problem } from '@wp/contracts'
import { afterCursor, paginate, type Query, type Row } from '@wp/database'
import type { EvaluationCase as Model, Prisma } from '#db'
import type { Db } from '../client.ts'

/** A question with what its answer must be. */
export interface EvaluationCaseRow extends Row<Model, 'id' | 'setId' | 'name' | 'runId' | 'createdAt' | 'updatedAt'> {
  input: string | Record<string, unknown>
  expected: EvaluationExpectation
}

export type NewCaseRow = Pick<EvaluationCaseRow, 'id' | 'name' | 'input' | 'expected' | 'runId'>

/** Returns one page of the cases of a set, newest first. */
export async function findEvaluationCases(
  db: Db,
  workspaceId: string,
  { setId, limit, cursor }: { setId: string; limit: number; cursor?: string | undefined },
): Promise<Page<EvaluationCaseRow>> {
  const rows = await db.evaluationCase.findMany({
    where: { workspaceId, setId, ...afterCursor(cursor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, (row) => row)
  return { items: items.map(toCase), nextCursor }
}

/** Returns all cases of a set, oldest first. Their number is limited. */
export async function listAllCases(db: Db, workspaceId: string, setId: string): Promise<EvaluationCaseRow[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
  return (await db.evaluationCase.findMany({ where: { workspaceId, setId }, orderBy })).map(toCase)
}

/** @throws Problem `not_found` */
export async function findEvaluationCase(
  db: Db,
  workspaceId: string,
  { setId, id }: { setId: string; id: string },
): Promise<EvaluationCaseRow> {
  const row = await db.evaluationCase.findFirst({ where: { workspaceId, setId, id } })
  if (row === null) throw problem('not_found')
  return toCase(row)
}

export async function insertEvaluationCases(
  db: Db,
  { workspaceId, setId }: { workspaceId: string; setId: string },
  cases: readonly NewCaseRow[],
): Promise<void> {
  await db.evaluationCase.createMany({
    data: cases.map(({ id, name, runId, ...json }) => ({ id, name, runId, workspaceId, setId, ...toJson(json) })),
  })
}

export const updateEvaluationCaseRow = async (
  db: Db,
  id: string,
  { name, input, expected }: Pick<EvaluationCaseRow, 'name' | 'input' | 'expected'>,
  updatedAt: Date,
): Promise<EvaluationCaseRow> =>
  toCase(await db.evaluationCase.update({ where: { id }, data: { name, ...toJson({ input, expected }), updatedAt } }))

/** @param id the case to delete; undefined for all of the set @returns the number of deleted cases */
export async function deleteEvaluationCases(
  db: Db,
  { workspaceId, setId, id }: { workspaceId: string; setId: string; id?: string },
): Promise<number> {
  const where = { workspaceId, setId, ...(id === undefined ? {} : { id }) }
  return (await db.evaluationCase.deleteMany({ where })).count
}

/** Returns true if a case of the set needs a model to grade its answer. */
export async function hasGradedCase(query: Query, workspaceId: string, setId: string): Promise<boolean> {
  const rows = await query(
    `SELECT FROM evaluation_cases WHERE workspace_id = $1 AND set_id = $2 AND expected::jsonb ? 'grader' LIMIT 1`,
    [workspaceId, setId],
  )
  return rows.length > 0
}

/** The casts hold because the contract has parsed the values from JSON. */
const toJson = ({ input, expected }: Pick<EvaluationCaseRow, 'input' | 'expected'>) => ({
  input: input as Prisma.InputJsonValue,
  expected: expected as Prisma.InputJsonObject,
})

/** The casts hold because only this service writes the columns. */
const toCase = ({ workspaceId: _workspaceId, input, expected, ...row }: Model): EvaluationCaseRow => ({
  ...row,
  input: input as EvaluationCaseRow['input'],
  expected: expected as EvaluationExpectation,
})
