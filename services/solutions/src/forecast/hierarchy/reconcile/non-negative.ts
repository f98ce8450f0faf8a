import type { Tree } from '../tree.ts'

/**
 * Makes reconciled forecasts non-negative, in place, and sums them exactly. From the roots down, the children of a node
 * are cut at 0 and scaled to its forecast, so that what is cut of one child is taken from the others and not added to
 * the sum (as in Di Fonzo & Girolimetto 2023, but from the top). A child that can be negative takes the difference.
 */
export function makeNonNegative(tree: Tree, forecasts: Float64Array, isNonNegative: Uint8Array): void {
  for (const number of tree.bottomUp.toReversed()) {
    const children = tree.children[number] ?? []
    if (tree.parents[number] === -1 && isNonNegative[number]) forecasts[number] = Math.max(0, forecasts[number] ?? 0)
    let kept = 0
    for (const child of children) {
      if (!isNonNegative[child]) continue
      forecasts[child] = Math.max(0, forecasts[child] ?? 0)
      kept += forecasts[child] ?? 0
    }
    const signed = children.filter((child) => !isNonNegative[child])
    const others = signed.slice(1).reduce((sum, child) => sum + (forecasts[child] ?? 0), 0)
    const [first] = signed
    if (first !== undefined) forecasts[first] = (forecasts[number] ?? 0) - kept - others
    else if (kept > 0 && isNonNegative[number]) {
      for (const child of children) forecasts[child] = ((forecasts[child] ?? 0) * (forecasts[number] ?? 0)) / kept
    }
  }
  sumUp(tree, forecasts)
}

/** Replaces the forecast of each parent by the sum of its children's. */
function sumUp({ bottomUp, children }: Tree, forecasts: Float64Array): void {
  for (const number of bottomUp) {
    const below = children[number] ?? []
    if (below.length > 0) forecasts[number] = below.reduce((sum, child) => sum + (forecasts[child] ?? 0), 0)
  }
}
