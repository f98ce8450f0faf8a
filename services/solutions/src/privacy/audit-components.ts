import type { AuditProgram, Relation } from './audit-program.ts'

/**
 * Splits a program at its known values into programs that share no unknown, with the known values moved to the bounds
 * of the relations.
 * @throws Error when known values contradict each other.
 */
export function componentsOf(program: AuditProgram): AuditProgram[] {
  const { unknowns, lower, upper } = program
  const leaders = Int32Array.from(unknowns, (_, at) => at)
  const leaderOf = (at: number): number => {
    let leader = at
    while (leaders[leader] !== leader) leader = leaders[leader] ?? leader
    leaders[at] = leader
    return leader
  }
  const reduced = program.relations.flatMap((relation) => reduce(relation, program))
  for (const { terms } of reduced) {
    const first = leaderOf(terms[0]?.[0] ?? 0)
    for (const [unknown] of terms) leaders[leaderOf(unknown)] = first
  }
  const components = new Map<number, AuditProgram>()
  const places = new Int32Array(unknowns.length)
  for (const [at, unknown] of unknowns.entries()) {
    if (lower[at] === upper[at]) continue
    const leader = leaderOf(at)
    const component = components.get(leader) ?? { unknowns: [], lower: [], upper: [], relations: [] }
    components.set(leader, component)
    component.lower.push(lower[at] ?? 0)
    component.upper.push(upper[at] ?? 0)
    places[at] = component.unknowns.push(unknown) - 1
  }
  for (const { terms, least, most } of reduced) {
    const moved = terms.map(([unknown, coefficient]): [number, number] => [places[unknown] ?? 0, coefficient])
    components.get(leaderOf(terms[0]?.[0] ?? 0))?.relations.push({ terms: moved, least, most })
  }
  return [...components.values()]
}

function reduce({ terms, least, most }: Relation, { lower, upper }: AuditProgram): Relation[] {
  let known = 0
  const unknown = terms.filter(([at, coefficient]) => {
    if (lower[at] !== upper[at]) return true
    known += coefficient * (lower[at] ?? 0)
    return false
  })
  if (unknown.length > 0) return [{ terms: unknown, least: least - known, most: most - known }]
  if (known < least || known > most) throw new Error('the published cells contradict each other')
  return []
}
