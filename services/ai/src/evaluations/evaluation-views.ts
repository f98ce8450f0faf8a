import { agents, type CaseOutcome, type EvaluationResult } from '@wp/contracts'
import { type Query, viewOf } from '@wp/database'
import type { z } from 'zod'
import type { EvaluationCaseRow } from '../store/evaluations/cases.ts'
import type { EvaluationRow } from '../store/evaluations/evaluations.ts'
import { countResults, type ResultCounts, type ResultRow } from '../store/evaluations/results.ts'
import type { EvaluationSetRow } from '../store/evaluations/sets.ts'

export const evaluationSetView = (set: EvaluationSetRow): z.input<typeof agents.getEvaluationSet.ok> =>
  viewOf(agents.getEvaluationSet.ok, set, { cases: set.caseCount })

export const evaluationCaseView = (row: EvaluationCaseRow): z.input<typeof agents.getEvaluationCase.ok> =>
  viewOf(agents.getEvaluationCase.ok, row, { evaluation_set_id: row.setId })

type EvaluationView = z.input<typeof agents.listEvaluations.list>

/** Returns evaluations with the numbers of their results. */
export async function readEvaluationViews(
  query: Query,
  workspaceId: string,
  evaluations: readonly EvaluationRow[],
): Promise<EvaluationView[]> {
  const counts = await countResults(
    query,
    workspaceId,
    evaluations.map(({ id }) => id),
  )
  const byId = new Map(counts.map((each) => [each.evaluationId, each]))
  return evaluations.map((evaluation) => evaluationView(evaluation, byId.get(evaluation.id) ?? noResults))
}

/** Returns one evaluation with the numbers of its results. */
export async function readEvaluationView(query: Query, evaluation: EvaluationRow): Promise<EvaluationView> {
  const [counts = noResults] = await countResults(query, evaluation.workspaceId, [evaluation.id])
  return evaluationView(evaluation, counts)
}

const noResults: Omit<ResultCounts, 'evaluationId'> = {
  cases: 0,
  pending: 0,
  passed: 0,
  failed: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  averageMs: null,
}

function evaluationView(evaluation: EvaluationRow, counts: Omit<ResultCounts, 'evaluationId'>): EvaluationView {
  const { cases, pending, passed, failed, errors, averageMs } = counts
  const isFinished = evaluation.status === 'finished'
  return viewOf(agents.listEvaluations.list, evaluation, {
    evaluation_set_id: evaluation.setId,
    progress: cases === 0 ? Number(isFinished) : (cases - pending) / cases,
    summary: {
      cases,
      passed,
      failed,
      errors,
      average_ms: averageMs,
      pass_rate: isFinished && cases > 0 ? passed / cases : null,
    },
    usage: usageOf(counts),
  })
}

const usageOf = ({ inputTokens, outputTokens }: Pick<ResultCounts, 'inputTokens' | 'outputTokens'>) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})

const resultStates: Record<string, z.input<typeof EvaluationResult>['status']> = {
  pending: 'pending',
  finished: 'finished',
}

export const evaluationResultView = (result: ResultRow): z.input<typeof agents.listEvaluationResults.list> =>
  viewOf(agents.listEvaluationResults.list, result, {
    status: resultStates[result.status] ?? 'running',
    outcome: result.outcome as CaseOutcome | null, // written by the worker alone
    usage: usageOf(result),
  })
