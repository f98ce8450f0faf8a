import type { agents, CaseOutcome, EvaluationResult } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { z } from 'zod'
import type { EvaluationCaseRow } from '../store/evaluations/cases.ts'
import type { EvaluationRow } from '../store/evaluations/evaluations.ts'
import { countResults, type ResultCounts, type ResultRow } from '../store/evaluations/results.ts'
import type { EvaluationSetRow } from '../store/evaluations/sets.ts'

export const evaluationSetView = (set: EvaluationSetRow): z.input<typeof agents.getEvaluationSet.ok> => ({
  ...{ id: set.id, name: set.name, description: set.description, grader: set.grader },
  cases: set.caseCount,
  revision: set.revision,
  created_at: set.createdAt.toISOString(),
  updated_at: set.updatedAt.toISOString(),
})

export const evaluationCaseView = (row: EvaluationCaseRow): z.input<typeof agents.getEvaluationCase.ok> => ({
  ...{ id: row.id, evaluation_set_id: row.setId, name: row.name, input: row.input, expected: row.expected },
  run_id: row.runId,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

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
  ...{ cases: 0, pending: 0, passed: 0, failed: 0, errors: 0, inputTokens: 0, outputTokens: 0, averageMs: null },
}

function evaluationView(evaluation: EvaluationRow, counts: Omit<ResultCounts, 'evaluationId'>): EvaluationView {
  const { cases, pending, passed, failed, errors, averageMs } = counts
  const isFinished = evaluation.status === 'finished'
  return {
    id: evaluation.id,
    agent_id: evaluation.agentId,
    version: evaluation.version,
    evaluation_set_id: evaluation.setId,
    set_revision: evaluation.setRevision,
    status: evaluation.status,
    progress: cases === 0 ? Number(isFinished) : (cases - pending) / cases,
    error: evaluation.error,
    created_at: evaluation.createdAt.toISOString(),
    started_at: evaluation.startedAt?.toISOString() ?? null,
    finished_at: evaluation.finishedAt?.toISOString() ?? null,
    max_tokens: evaluation.maxTokens,
    summary: {
      ...{ cases, passed, failed, errors, average_ms: averageMs },
      pass_rate: isFinished && cases > 0 ? passed / cases : null,
    },
    usage: usageOf(counts),
    created_by: evaluation.createdBy,
  }
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

export const evaluationResultView = (result: ResultRow): z.input<typeof agents.listEvaluationResults.list> => ({
  ...{ case_id: result.caseId, name: result.name, input: result.input, expected: result.expected },
  status: resultStates[result.status] ?? 'running',
  outcome: result.outcome as CaseOutcome | null, // written by the worker alone
  ...{ reason: result.reason, checks: result.checks, answer: result.answer },
  refused_tools: result.refusedTools,
  run_id: result.runId,
  usage: usageOf(result),
  duration_ms: result.durationMs,
})
