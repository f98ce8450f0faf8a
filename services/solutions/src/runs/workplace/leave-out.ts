import type { WorkplaceNode } from './read-workplace.ts'

/** A space or team without a series of its own. */
export interface LeftOut {
  id: string
  reason: 'privacy' | 'too_short' | 'no_data'
  /** Days of history; of those that are too short. */
  days?: number
}

type Measured = Pick<WorkplaceNode, 'id' | 'parentId' | 'values' | 'size'>

/**
 * Decides which spaces and teams get no series of their own: those without values, those about fewer people than the
 * threshold, and those with too little history. What is left of the one around them must not tell about too few people
 * either, so the smallest of the others is left out with them.
 *
 * @param nodes parents before their children
 * @param isTeam the sizes of teams add up, so that members outside of the teams in one are known too
 */
export function leaveOut(
  nodes: readonly Measured[],
  { threshold, requiredDays, isTeam }: { threshold: number; requiredDays: number; isTeam: boolean },
): Map<string, LeftOut> {
  const found = new Map<string, LeftOut>()
  const children = Map.groupBy(nodes, ({ parentId }) => parentId)
  for (const node of nodes) {
    const around = found.get(node.parentId ?? '')
    const reason = reasonOf(node, threshold, requiredDays)
    // Its own days are told, not those of the one around it.
    const inherited = around && (around.reason === reason?.reason ? reason : { reason: around.reason })
    const own = inherited ?? reason
    if (own !== undefined) found.set(node.id, { id: node.id, ...own })
  }
  for (const parent of nodes) {
    const inside = children.get(parent.id) ?? []
    if (found.has(parent.id) || inside.length === 0) continue
    const direct = isTeam ? Math.max(0, (parent.size ?? 0) - sizeOf(inside)) : 0
    const kept = inside.filter(({ id }) => !found.has(id)).sort((a, b) => (a.size ?? 0) - (b.size ?? 0))
    for (let rest = direct + sizeOf(inside.filter(({ id }) => found.has(id))); rest > 0 && rest < threshold; ) {
      const smallest = kept.shift()
      if (smallest === undefined) break
      rest += smallest.size ?? 0
      hide(smallest)
    }
  }
  return found

  function hide(node: Measured): void {
    found.set(node.id, { id: node.id, reason: 'privacy' })
    for (const child of children.get(node.id) ?? []) hide(child)
  }
}

const sizeOf = (nodes: readonly Measured[]): number => nodes.reduce((sum, { size }) => sum + (size ?? 0), 0)

function reasonOf(
  { values, size }: Measured,
  threshold: number,
  requiredDays: number,
): Omit<LeftOut, 'id'> | undefined {
  // Before its first people a space was not open yet, and a team did not exist.
  const start = values.findIndex((value) => value !== null && value > 0)
  if (start < 0 || size === null) return { reason: 'no_data' }
  if (size < threshold) return { reason: 'privacy' }
  const present = values.slice(start).filter((value) => value !== null).length
  const days = Math.min(values.length - start, 2 * present)
  return days < requiredDays ? { reason: 'too_short', days } : undefined
}
