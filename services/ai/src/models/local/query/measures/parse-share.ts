import type { Draft } from '../draft.ts'
import { copulas } from '../grammar.ts'
import { isSpent } from '../quantities.ts'
import { type Filters, type Query, Refusal } from '../query.ts'

/** Marks the verb, or the records, between the conditions of the whole and those of the part. */
export function markShare(draft: Draft): void {
  // `P1 incidents breached the SLA`: the state after the records is that of the part.
  if (draft.take('(?<=V\\d+ )(S\\d+)(?= B\\d)', '$1 BE') !== undefined) return
  // `Leases in Hamburg that are indexed`: what is before the clause is of the whole.
  const clause =
    '(?:that|which|who) (?:are|is|were|was|have|has|had)|(?:die|das|der)(?= .* (?:sind|ist|war|waren|wurden?|haben|hat) )'
  if (draft.take(`(?<=S\\d+ .*[VBT]\\d+ )(?:${clause})`, 'BE') !== undefined) return
  // `Incidents that were breached`: the first verb is of the whole.
  if (
    draft.take(
      `(?<=[SV]\\d+ .*)(?<! (?:that|which|who) )(?:${copulas}|took place|happened|went|fanden|ended(?: up)?(?: as)?|endeten(?: als)?)`,
      'BE',
    ) === undefined
  )
    // The share of denied events in the depot is one of the events in the depot.
    draft.take('(?<= [VB]\\d+ (?:.* )?)(S\\d+)(?= .*[VBTR]\\d)', 'WHOLE $1')
}

/**
 * Makes a share of a number: that of what has the conditions after the verb, or all conditions.
 * @param isOfRecords true if the question names the records; `the share of rent` of costs may be one of their amount
 */
export function readAsShare(draft: Draft, query: Query, isOfRecords: boolean): void {
  const amount = draft.fieldsOfType('number').find(isSpent)
  const isGrouped = query.groupBy.length > 0 || query.bucket !== undefined
  const hasPart = Object.keys(query.partFilters).length > 0
  if (query.function === 'count' && !isOfRecords && !hasPart && amount !== undefined)
    throw draft.ambiguous(draft.say.share, [draft.source.name, amount])
  if (
    query.form !== 'aggregate' ||
    !/count|sum/.test(query.function) ||
    // `The share of denied events by door` may be one of all denied events.
    (isGrouped && (!hasPart || query.groupBy.some((field) => field in query.partFilters))) ||
    query.order !== undefined
  )
    throw new Refusal(draft.say.inexpressible(draft.say.share))
  const split = splitOfShare(draft, hasPart ? query.partFilters : query.filters)
  const filters = hasPart ? { ...query.filters, ...split.filters } : split.filters
  Object.assign(query, { form: 'share', partFilters: split.partFilters, filters })
  if (Object.keys(query.partFilters).length === 0) throw new Refusal(draft.say.inexpressible(draft.say.share))
}

/** Returns the conditions of the part. A period is of the whole, where there is another: `share of Acme in October`. */
function splitOfShare(draft: Draft, filters: Filters): Pick<Query, 'filters' | 'partFilters'> {
  const times = draft.fieldsOfType('timestamp')
  const entries = Object.entries(filters)
  const whole = entries.filter(
    ([field, value]) => times.includes(field) && typeof value === 'object' && value.exists === undefined,
  )
  if (whole.length === entries.length) return { partFilters: filters, filters: {} }
  return {
    partFilters: Object.fromEntries(entries.filter((entry) => !whole.includes(entry))),
    filters: Object.fromEntries(whole),
  }
}
