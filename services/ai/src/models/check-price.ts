import {
  type Budget,
  type BudgetPatch,
  type CostLimit,
  invalidField,
  type Model,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import { requireScope } from '@wp/service'
import type { ModelContext } from './open-model.ts'
import { freeOfCharge, hasPriceFor, type ModelPrice } from './price.ts'
import { findModelIntegration } from './resolve-integration.ts'

/** A limit in money, and the field of the request to which it forbids a model without a price. */
export interface NamedLimit {
  pointer: string
  limit: CostLimit
  /** Names a limit that the request does not state. */
  name?: string
}

/** Returns the limits of a budget in money with their fields below a pointer. */
export const costLimitsAt = (pointer: string, budget: BudgetPatch): NamedLimit[] =>
  listCostLimits(budget).map(({ name, limit }) => ({ pointer: `${pointer}/${name}`, limit }))

/** Returns the limits of an existing budget in money, which the field at a pointer must keep. */
export const costLimitsOf = (owner: string, budget: Budget, pointer: string): NamedLimit[] =>
  listCostLimits(budget).map(({ name, limit }) => ({ pointer, limit, name: `\`${name}\` of ${owner} ` }))

const listCostLimits = (budget: BudgetPatch) =>
  (['cost_per_run', 'cost_per_day'] as const).flatMap((name) => {
    const limit = budget[name]
    return limit === null || limit === undefined ? [] : [{ name, limit }]
  })

/**
 * Asserts that a model has a price in the currency of each limit: a budget in money is never left unkept. The provider
 * is not asked.
 * @throws Problem `validation_failed` with the pointer of the limit; `missing_scope` if the price is that of an
 *   integration, which the caller may not read
 */
export async function checkPrice(
  context: Pick<ModelContext, 'config' | 'internal'>,
  caller: RequestCaller<WorkspaceCaller>,
  model: Model,
  limits: readonly NamedLimit[],
): Promise<void> {
  if (limits.length === 0) return
  const price = await readPrice(context, caller, model)
  for (const { pointer, limit, name = '' } of limits)
    if (!hasPriceFor(limit, price))
      throw invalidField(
        pointer,
        `${name}requires a price of the model in ${limit.currency}: ${remedyOf(model, price)}`,
      )
}

function remedyOf({ provider, id }: Model, price: ModelPrice | null): string {
  if (price !== null) return `its price is in ${price.currency}`
  if (provider === 'default') return 'the operator has stated none'
  return id === undefined
    ? 'name it in `model.id`, and state its price in `prices` of its integration'
    : 'state it in `prices` of its integration'
}

/** Returns the price of a model without asking its provider which one is the default; null if there is none. */
async function readPrice(
  { config, internal }: Pick<ModelContext, 'config' | 'internal'>,
  caller: RequestCaller<WorkspaceCaller>,
  { provider, id }: Model,
): Promise<ModelPrice | null> {
  if (provider === 'local') return freeOfCharge
  if (provider === 'default') return config.AI_MODEL_PRICE ?? null
  requireScope(caller, 'integrations:read', 'A budget in money for the model of an integration')
  const integration = await findModelIntegration(internal, caller, provider)
  return integration?.prices.get(id ?? integration.models[0] ?? '') ?? null
}
