import type { CaseOutcome, EvaluationCheck, EvaluationExpectation } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { EvaluationResult as Model } from '#db'
import type { Db } from '../client.ts'
import type { EvaluationKey } from './evaluations.ts'

/** The result of a case. */
export interface ResultRow extends Row<Omit<Model, 'workspaceId' | 'input' | 'expected' | 'checks' | 'refusedTools'>> {
  input: string | Record<string, unknown>
  expected: EvaluationExpectation
  checks: EvaluationCheck[]
  refusedTools: string[]
}

const columns = `evaluation_id, position, case_id, name, input, expected, status, outcome, reason, checks, answer,
  refused_tools, attempts, run_id, grader_run_id, input_tokens, output_tokens, duration_ms`

/** Copies the cases of a set, as they are now, into an evaluation. @returns their number */
export async function insertResults(query: Query, { workspaceId, id }: EvaluationKey, setId: string): Promise<number> {
  const rows = await query(
    `INSERT INTO evaluation_results (evaluation_id, position, workspace_id, case_id, name, input, expected)
     SELECT $2, row_number() OVER (ORDER BY created_at, id), workspace_id, id, name, input, expected
     FROM evaluation_cases WHERE workspace_id = $1 AND set_id = $3 RETURNING 1`,
    [workspaceId, id, setId],
  )
  return rows.length
}

/** Returns results in the order of the cases. @param outcome only those with this outcome */
export const listResults = (
  query: Query,
  { workspaceId, id }: EvaluationKey,
  { after = 0, limit = 1_000, outcome }: { after?: number; limit?: number; outcome?: CaseOutcome | undefined } = {},
): Promise<ResultRow[]> =>
  query<ResultRow>(
    `SELECT ${columns} FROM evaluation_results WHERE workspace_id = $1 AND evaluation_id = $2 AND position > $3
       AND ($5::text IS NULL OR outcome = $5) ORDER BY position LIMIT $4`,
    [workspaceId, id, after, limit, outcome ?? null],
  )

/** The results of an evaluation in numbers. */
export interface ResultCounts {
  evaluationId: string
  cases: number
  pending: number
  passed: number
  failed: number
  errors: number
  inputTokens: number
  outputTokens: number
  averageMs: number | null
}

export const countResults = (
  query: Query,
  workspaceId: string,
  evaluationIds: readonly string[],
): Promise<ResultCounts[]> =>
  query<ResultCounts>(
    `SELECT evaluation_id, count(*)::integer AS cases,
       count(*) FILTER (WHERE status <> 'finished')::integer AS pending,
       count(*) FILTER (WHERE outcome = 'passed')::integer AS passed,
       count(*) FILTER (WHERE outcome = 'failed')::integer AS failed,
       count(*) FILTER (WHERE outcome = 'error')::integer AS errors,
       sum(input_tokens)::float8 AS input_tokens, sum(output_tokens)::float8 AS output_tokens,
       round(avg(duration_ms))::integer AS average_ms
     FROM evaluation_results WHERE workspace_id = $1 AND evaluation_id = ANY ($2) GROUP BY evaluation_id`,
    [workspaceId, evaluationIds],
  )

/** Returns the results whose answer or grade is in progress. */
export const listResultsInProgress = (query: Query, { workspaceId, id }: EvaluationKey): Promise<ResultRow[]> =>
  query<ResultRow>(
    `SELECT ${columns} FROM evaluation_results WHERE workspace_id = $1 AND evaluation_id = $2
       AND status IN ('answering', 'grading') ORDER BY position`,
    [workspaceId, id],
  )

/** Returns the number of cases in progress in all evaluations of a workspace. */
export async function countCasesInProgress(query: Query, workspaceId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM evaluation_results
     WHERE workspace_id = $1 AND status IN ('answering', 'grading')`,
    [workspaceId],
  )
  return row?.count ?? 0
}

/** Returns the next case without an answer; undefined if there is none. */
export async function findPendingResult(
  query: Query,
  { workspaceId, id }: EvaluationKey,
): Promise<ResultRow | undefined> {
  const [row] = await query<ResultRow>(
    `SELECT ${columns} FROM evaluation_results WHERE workspace_id = $1 AND evaluation_id = $2 AND status = 'pending'
     ORDER BY position LIMIT 1`,
    [workspaceId, id],
  )
  return row
}

export type ResultChange = Partial<
  Omit<ResultRow, 'evaluationId' | 'position' | 'caseId' | 'name' | 'input' | 'expected'>
>

/** Changes a result. The transaction holds the lease of the job of the evaluation. */
export async function updateResult(
  db: Db,
  { evaluationId, position }: Pick<ResultRow, 'evaluationId' | 'position'>,
  change: ResultChange,
): Promise<void> {
  await db.evaluationResult.update({ where: { evaluationId_position: { evaluationId, position } }, data: change })
}

/** Returns the cases in progress of an evaluation that has ended to those without a result. @returns their runs */
export async function resetResultsInProgress(query: Query, { workspaceId, id }: EvaluationKey): Promise<string[]> {
  const rows = await query<Pick<ResultRow, 'runId' | 'graderRunId'>>(
    `UPDATE evaluation_results SET status = 'pending' WHERE workspace_id = $1 AND evaluation_id = $2
       AND status IN ('answering', 'grading') RETURNING run_id, grader_run_id`,
    [workspaceId, id],
  )
  return rows.flatMap(({ runId, graderRunId }) => [runId, graderRunId].filter((each) => each !== null))
}
