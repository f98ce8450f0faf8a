import { type Budget, problem } from '@wp/contracts'
import type { Query } from '@wp/database'
import { type BudgetOwner, readBudgetUse, readRunBudgets } from '../store/runs/budget-use.ts'
import type { RunKey } from '../store/runs/runs.ts'

/** The budget of an agent or a trigger. */
export interface OwnedBudget {
  workspaceId: string
  owner: BudgetOwner
  budget: Budget
}

/** Returns a budget with the members of a patch. */
export const changeBudget = (budget: Budget, patch: { [Name in keyof Budget]?: Budget[Name] | undefined }): Budget => ({
  ...budget,
  ...Object.fromEntries(Object.entries(patch).filter(([, limit]) => limit !== undefined)),
})

/**
 * Asserts that the day's budget of an agent or a trigger has room for a run.
 * @param included runs that the transaction has inserted already: 0 or 1
 * @throws Problem `quota_exceeded`
 */
export async function enforceBudget(query: Query, owned: OwnedBudget, included: number): Promise<void> {
  const { runs_per_day: runs } = owned.budget
  const detail = await findSpentOfDay(query, owned, runs === null ? null : runs + included)
  if (detail !== undefined) throw problem('quota_exceeded', { detail })
}

/** @param maxRuns null where the number of runs does not matter */
async function findSpentOfDay(
  query: Query,
  { workspaceId, owner, budget: { runs_per_day: runs, tokens_per_day: tokens } }: OwnedBudget,
  maxRuns: number | null,
): Promise<string | undefined> {
  if (maxRuns === null && tokens === null) return undefined
  const use = await readBudgetUse(query, workspaceId, owner)
  const spent = (limit: string) =>
    `The budget of the ${'agentId' in owner ? 'agent' : 'trigger'}, ${limit} a day (UTC), is used up`
  if (maxRuns !== null && use.runs >= maxRuns) return spent(`${runs} runs`)
  return tokens !== null && use.tokens >= tokens ? spent(`${tokens} tokens`) : undefined
}

/** A run in progress, and whose budgets it uses. */
export interface RunInBudget extends RunKey {
  agentId: string | null
  triggerId: string | null
  /** The limit of the request that started it. */
  maxTokens: number | undefined
}

/**
 * Returns why a run must not take another step: one of its budgets is used up. Undefined if none is. Budgets count as
 * they are now, so a lower one stops runs that are in progress.
 */
export async function findSpentBudget(
  query: Query,
  { agentId, triggerId, maxTokens, ...key }: RunInBudget,
): Promise<string | undefined> {
  const { tokens, agent, trigger } = await readRunBudgets(query, key)
  const limits = [maxTokens, agent?.tokens_per_run, trigger?.tokens_per_run]
  const lowest = Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY))
  if (tokens >= lowest) return `The budget of the run, ${lowest} tokens, is used up`
  const { workspaceId } = key
  const owned: OwnedBudget[] = [
    ...(agent === null || agentId === null ? [] : [{ workspaceId, owner: { agentId }, budget: agent }]),
    ...(trigger === null || triggerId === null ? [] : [{ workspaceId, owner: { triggerId }, budget: trigger }]),
  ]
  for (const each of owned) {
    const spent = await findSpentOfDay(query, each, null)
    if (spent !== undefined) return spent
  }
  return undefined
}
