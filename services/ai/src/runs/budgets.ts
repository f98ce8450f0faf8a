import { type Budget, type BudgetPatch, type CostLimit, Problem, problem } from '@wp/contracts'
import { definedFields, enforceMeters, type Query } from '@wp/database'
import type { ModelPrice } from '../models/price.ts'
import { costText, hasPriceFor, isReached } from '../models/price.ts'
import { type BudgetOwner, type RunBudgets, readBudgetUse, readRunBudgets } from '../store/runs/budget-use.ts'
import type { RunKey } from '../store/runs/runs.ts'

/** The budget of a workspace, an agent or a trigger. */
export interface OwnedBudget {
  workspaceId: string
  owner: BudgetOwner
  budget: Budget
}

/** A budget without limits. */
export const unlimited: Budget = {
  tokens_per_run: null,
  tokens_per_day: null,
  runs_per_day: null,
  cost_per_run: null,
  cost_per_day: null,
}

/** Returns a budget with the members of a patch. */
export const changeBudget = (budget: Budget, patch: BudgetPatch): Budget => ({ ...budget, ...definedFields(patch) })

/**
 * Asserts that the day's budget of a workspace, an agent or a trigger has room for a run.
 * @param included runs that the transaction has inserted already: 0 or 1
 * @throws Problem `quota_exceeded`
 */
export async function enforceBudget(query: Query, owned: OwnedBudget, included: number): Promise<void> {
  const { runs_per_day: runs } = owned.budget
  const detail = await findSpentOfDay(query, owned, runs === null ? null : runs + included)
  if (detail !== undefined) throw problem('quota_exceeded', { detail })
}

const nameOf = (owner: BudgetOwner) => (owner === 'workspace' ? 'workspace' : 'agentId' in owner ? 'agent' : 'trigger')

/** @param maxRuns null where the number of runs does not matter */
async function findSpentOfDay(
  query: Query,
  { workspaceId, owner, budget }: OwnedBudget,
  maxRuns: number | null,
): Promise<string | undefined> {
  const { runs_per_day: runs, tokens_per_day: tokens = null, cost_per_day: cost = null } = budget
  if (maxRuns === null && tokens === null && cost === null) return undefined
  const use = await readBudgetUse(query, workspaceId, owner, cost?.currency ?? null)
  const spent = (limit: string) => `The budget of the ${nameOf(owner)}, ${limit} a day (UTC), is used up`
  if (maxRuns !== null && use.runs >= maxRuns) return spent(`${runs} runs`)
  if (cost !== null && isReached(cost, use.costMicros)) return spent(costText(cost))
  return tokens !== null && use.tokens >= tokens ? spent(`${tokens} tokens`) : undefined
}

/** A run in progress, and whose budgets it uses. */
export interface RunInBudget extends RunKey {
  agentId: string | null
  triggerId: string | null
  /** The limits of the request that started it. */
  maxTokens: number | undefined
  maxCost: CostLimit | undefined
  /** The price of its model; null if there is none. */
  price: ModelPrice | null
}

/** The reason why a run must not take another step. */
export interface SpentBudget {
  message: string
  /** True if nothing is used up, but a budget in money cannot be kept without a price of the model. */
  isUnpriced: boolean
}

/**
 * Returns why a run must not take another step: one of its budgets or the included use of the plan is used up, or one
 * in money cannot be kept. Undefined if none is. Budgets count as they are now, so a lower one stops runs in progress.
 */
export async function findSpentBudget(query: Query, run: RunInBudget): Promise<SpentBudget | undefined> {
  const budgets = await readRunBudgets(query, run)
  const unpriced = findUnpriced(run, budgets)
  if (unpriced !== undefined) return { message: unpriced, isUnpriced: true }
  const message =
    findSpentOfRun(run, budgets) ??
    (await findSpentOfOwners(query, run, budgets)) ??
    (await findExhaustedMeter(query, run.workspaceId))
  return message === undefined ? undefined : { message, isUnpriced: false }
}

function findUnpriced({ price, maxCost }: RunInBudget, budgets: RunBudgets): string | undefined {
  const { costMicros, currency } = budgets
  const limits: [name: string, limit: CostLimit | null | undefined][] = [['`max_cost`', maxCost]]
  for (const owner of ['agent', 'trigger', 'workspace'] as const)
    for (const name of ['cost_per_run', 'cost_per_day'] as const)
      limits.push([`\`${name}\` of the ${owner}`, budgets[owner]?.[name]])
  for (const [name, limit] of limits) {
    if (limit === null || limit === undefined) continue
    if (!hasPriceFor(limit, price))
      return `The model has no price in ${limit.currency}, which ${name} requires: state one in its integration`
    if (costMicros === null || (currency !== null && currency !== limit.currency))
      return `An earlier step had no price in ${limit.currency}, so ${name} cannot be kept`
  }
  return undefined
}

function findSpentOfRun({ maxTokens, maxCost }: RunInBudget, budgets: RunBudgets): string | undefined {
  const { tokens, costMicros, workspace, agent, trigger } = budgets
  const owners = [workspace, agent, trigger]
  const lowest = Math.min(
    ...[maxTokens, ...owners.map((budget) => budget?.tokens_per_run)].map((limit) => limit ?? Number.POSITIVE_INFINITY),
  )
  if (tokens >= lowest) return `The budget of the run, ${lowest} tokens, is used up`
  const [reached] = [maxCost, ...owners.map((budget) => budget?.cost_per_run)]
    .filter((limit) => limit !== null && limit !== undefined)
    .filter((limit) => isReached(limit, costMicros ?? 0))
    .sort((one, other) => one.amount - other.amount)
  return reached === undefined ? undefined : `The budget of the run, ${costText(reached)}, is used up`
}

async function findSpentOfOwners(
  query: Query,
  { workspaceId, agentId, triggerId }: RunInBudget,
  { workspace, agent, trigger }: RunBudgets,
): Promise<string | undefined> {
  const owned: OwnedBudget[] = [
    ...(agent === null || agentId === null ? [] : [{ workspaceId, owner: { agentId }, budget: agent }]),
    ...(trigger === null || triggerId === null ? [] : [{ workspaceId, owner: { triggerId }, budget: trigger }]),
    ...(workspace === null ? [] : [{ workspaceId, owner: 'workspace' as const, budget: workspace }]),
  ]
  for (const each of owned) {
    const spent = await findSpentOfDay(query, each, null)
    if (spent !== undefined) return spent
  }
  return undefined
}

/** Returns why the plan allows no further tokens. */
async function findExhaustedMeter(query: Query, workspaceId: string): Promise<string | undefined> {
  try {
    await enforceMeters(query, workspaceId, ['tokens_in', 'tokens_out'])
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.detail
  }
}
