import { dayOf } from './daily-values.ts'
import type { NodeTask } from './node/node-forecast.ts'
import type { Covariate, HierarchyNode } from './shapes.ts'
import type { Tree } from './tree.ts'

/** Reads covariates; a node without one has the sum of its children's, if all have one. */
export function inheritCovariates(
  nodes: readonly HierarchyNode[],
  { children, bottomUp }: Tree,
  horizon: number,
): NodeTask['covariate'][] {
  const found: NodeTask['covariate'][] = nodes.map(({ covariate }) =>
    covariate ? readCovariate(covariate, horizon) : null,
  )
  for (const number of bottomUp) {
    const below = (children[number] ?? []).flatMap((child) => found[child] ?? [])
    if (found[number] !== null || below.length === 0 || below.length < (children[number]?.length ?? 0)) continue
    const first = Math.max(...below.map((one) => one.first))
    const end = Math.min(...below.map((one) => one.first + one.values.length))
    const values = Float64Array.from({ length: Math.max(0, end - first) }, (_, index) =>
      below.reduce((sum, one) => sum + (one.values[first + index - one.first] ?? Number.NaN), 0),
    )
    found[number] = { first, values, daysAhead: Math.min(...below.map(({ daysAhead }) => daysAhead)) }
  }
  return found
}

function readCovariate({ since, values, daysAhead }: Covariate, horizon: number): NodeTask['covariate'] {
  const column = { first: dayOf(since), values: Float64Array.from(values, (value) => value ?? Number.NaN) }
  return { ...column, daysAhead: Math.min(horizon, daysAhead ?? horizon) }
}
