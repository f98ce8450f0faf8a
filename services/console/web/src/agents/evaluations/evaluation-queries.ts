import type { Evaluation, EvaluationResult, EvaluationSet } from '@wp/contracts'
import type { z } from 'zod'
import { readAll } from '../../api/read-all.ts'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { isInProgress, pollMs } from '../shared/states.ts'

export type EvaluationRow = z.output<typeof Evaluation>
export type ResultRow = z.output<typeof EvaluationResult>
export type SetRow = z.output<typeof EvaluationSet>

/** Reads the test sets of the workspace for a choice. */
export const useEvaluationSets = () =>
  useApiQuery(['evaluation-sets', 'all'], async (api, options) => {
    const { items } = await api.agents.listEvaluationSets({ query: { limit: 100 } }, options)
    return items
  })

/** Reads an evaluation, again and again until it has ended. */
export const useEvaluation = (id: string) =>
  useApiQuery(['evaluations', id], (api, options) => api.agents.getEvaluation({ params: { id } }, options), {
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? pollMs : false),
  })

const outcomeOrder = ['error', 'failed', null, 'passed']

/** Reads all results of an evaluation, those that did not pass first. @param version changes when there are more */
export const useResults = (id: string, version: unknown) =>
  useApiQuery(
    ['evaluation-results', id, version],
    async (api, options) => {
      const results = await readAll(
        (query) => api.agents.listEvaluationResults({ params: { id }, query }, options),
        Number.POSITIVE_INFINITY,
      )
      return results.sort((one, other) => outcomeOrder.indexOf(one.outcome) - outcomeOrder.indexOf(other.outcome))
    },
    { placeholderData: (before) => before },
  )

/** Returns the name of a question, or else its text. */
export const titleOf = ({ name, input }: { name: string | null; input: unknown }): string =>
  name ?? (typeof input === 'string' ? input : JSON.stringify(input))

/** Returns a share as whole percent, and never rounds one that is not whole up to 100. */
export const percentOf = (share: number): string => `${share === 1 ? 100 : Math.min(99, Math.round(share * 100))} %`

export type EvaluationDetail = NonNullable<ReturnType<typeof useEvaluation>['data']>
