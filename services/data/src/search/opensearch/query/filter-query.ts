import { type FieldFilter, withWholeLastDay } from '@wp/contracts'
import { converterFor, typeMismatch } from '../../../schema/declared-fields.ts'
import { isTimestampText } from '../../../schema/value-kinds.ts'
import type { Scalar } from '../../query/filter/field-filter.ts'
import { conversionOf } from '../../query/filter/field-type.ts'
import type { SearchedFields } from '../../query/filter/searched-fields.ts'
import { fieldTerm, sortableNumber, type TermKind, utcTimeOf } from '../index/field-terms.ts'

/** A query of OpenSearch, as JSON. */
export type EngineQuery = Readonly<Record<string, unknown>>

export const matchNone: EngineQuery = { match_none: {} }
export function anyOf(queries: readonly EngineQuery[]): EngineQuery {
  const [only, ...others] = queries
  if (only === undefined) return matchNone
  return others.length === 0 ? only : { bool: { should: queries, minimum_should_match: 1 } }
}
export const allOf = (queries: readonly EngineQuery[]): EngineQuery => ({ bool: { filter: queries } })
const noneOf = (query: EngineQuery): EngineQuery => ({ bool: { must_not: [query] } })

/**
 * Returns queries for filters, with the comparisons of field-filter.ts. In each source a field is compared by its own
 * type, so sources with the same type of a field share a query.
 */
export function toFilterQueries(
  workspaceId: string,
  filters: Readonly<Record<string, FieldFilter>>,
  fields: SearchedFields,
): EngineQuery[] {
  return Object.entries(filters).map(([name, filter]) => {
    const typed = fields.sources.map(({ dataSourceId }) => ({ dataSourceId, type: typeIn(fields, dataSourceId, name) }))
    const sourcesByType = Map.groupBy(typed, ({ type: { kind, timezone } }) => `${kind} ${timezone}`)
    const queries = [...sourcesByType.values()].map((sources) => {
      const query = toQuery(createTerms(workspaceId, name), sources[0]?.type ?? { kind: 'stored' }, filter)
      const ids = sources.map(({ dataSourceId }) => dataSourceId)
      return sourcesByType.size === 1 ? query : allOf([{ terms: { data_source_id: ids } }, query])
    })
    return anyOf(queries)
  })
}

/** The type by which values are compared. */
interface ComparedType {
  /** `stored`: by the JSON type of the wanted value. */
  kind: 'stored' | 'string' | keyof typeof kinds
  /** Of wanted times without one. */
  timezone?: string | undefined
}

function typeIn(fields: SearchedFields, dataSourceId: string, name: string): ComparedType {
  const field = fields.find(dataSourceId, name)
  const conversion = field && conversionOf(field)
  if (conversion === undefined) return { kind: 'stored' }
  if (conversion.type !== 'timestamp' || field?.declared === undefined) return { kind: conversion.type }
  return { kind: 'declaredTimestamp', timezone: conversion.timezone }
}

interface Terms {
  equal(kind: TermKind, value?: string): EngineQuery
  range(kind: TermKind, bounds: Bounds<string>): EngineQuery
}

type Bounds<T> = Partial<Record<'gt' | 'gte' | 'lt' | 'lte', T>>

function createTerms(workspaceId: string, name: string): Terms {
  return {
    equal: (kind, value) => ({ term: { values: fieldTerm(workspaceId, name, kind, value) } }),
    range(kind, bounds) {
      const term = (value: string) => fieldTerm(workspaceId, name, kind, value)
      const limits = Object.entries(bounds).map(([operator, value]) => toLimit(operator, term(value)))
      // A range without a lower or upper bound ends with the terms of this field and kind.
      const lower = bounds.gt === undefined && bounds.gte === undefined ? { gte: term('') } : {}
      const upper = bounds.lt === undefined && bounds.lte === undefined ? { lt: term('\u{10ffff}') } : {}
      return { range: { values: { ...lower, ...upper, ...Object.fromEntries(limits) } } }
    },
  }
}

/** Lucene rejects ranges with a longer bound. */
const maxBoundBytes = 900

/** Returns a bound of a range. Texts that begin as a longer one are within it. */
function toLimit(operator: string, term: string): [operator: string, term: string] {
  const bytes = Buffer.from(term)
  if (bytes.length <= maxBoundBytes) return [operator, term]
  const beginning = bytes
    .subarray(0, maxBoundBytes)
    .toString()
    .replace(/\ufffd+$/, '')
  return operator.startsWith('g') ? ['gte', beginning] : ['lt', `${beginning}\u{10ffff}`]
}

function toQuery(terms: Terms, type: ComparedType, filter: FieldFilter): EngineQuery {
  if (typeof filter !== 'object') return equals(terms, type, filter)
  if ('exists' in filter) return filter.exists ? terms.equal('p') : noneOf(terms.equal('p'))
  if ('not' in filter) return noneOf(anyOf([filter.not].flat().map((value) => equals(terms, type, value))))
  if ('in' in filter) return anyOf(filter.in.map((value) => equals(terms, type, value)))
  return within(terms, type, withWholeLastDay(filter))
}

/** A value that equals another as it is stored, whatever the type of the field is. */
function equalsAsStored({ equal }: Terms, wanted: Scalar): EngineQuery[] {
  if (typeof wanted === 'boolean') return [equal('b', String(wanted))]
  if (typeof wanted === 'number') return [equal('n', sortableNumber(wanted))]
  return [equal(isTimestampText(wanted) ? 'z' : 's', wanted)]
}

function equals(terms: Terms, type: ComparedType, wanted: Scalar): EngineQuery {
  const asStored = equalsAsStored(terms, wanted)
  if (type.kind === 'stored') {
    if (typeof wanted !== 'string') return anyOf(asStored)
    const time = isTimestampText(wanted) ? utcTimeOf(wanted) : Number.NaN
    const sameTime = Number.isNaN(time) ? [] : [terms.equal('t', sortableNumber(time))]
    return anyOf([...asStored, terms.equal('x', wanted), ...sameTime])
  }
  if (type.kind === 'string')
    return anyOf([terms.equal('s', String(wanted)), terms.equal('z', String(wanted)), terms.equal('x', String(wanted))])
  const converted = convert(type, wanted)
  // A text such as `TRUE` is no boolean here.
  if (converted === undefined) return typeof wanted === 'string' ? anyOf(asStored) : terms.equal('x', String(wanted))
  return anyOf([terms.equal(kinds[type.kind], converted), ...(typeof wanted === 'string' ? asStored : [])])
}

const kinds = { number: 'n', boolean: 'b', timestamp: 't', declaredTimestamp: 'd' } as const

/** Returns the text of the term of a value; undefined if it does not have the type. */
function convert({ kind, timezone }: ComparedType, value: Scalar): string | undefined {
  const type = kind === 'declaredTimestamp' ? 'timestamp' : kind
  const converted = type === 'stored' ? typeMismatch : converterFor({ type, timezone })(value)
  if (converted === typeMismatch || converted === null) return undefined
  return typeof converted === 'number' ? sortableNumber(converted) : String(converted)
}

function within(terms: Terms, type: ComparedType, bounds: ReturnType<typeof withWholeLastDay>): EngineQuery {
  const entries = Object.entries(bounds).filter(([, bound]) => bound !== undefined)
  if (type.kind === 'boolean') return matchNone
  // As a declared type, the empty text is no value; without a lower bound it would be within the range.
  if (type.kind === 'string') return anyText(terms, { gt: '', ...mapBounds(entries, String) }, ['s', 'z', 'x'])
  if (type.kind !== 'stored') {
    const converted = entries.map(([operator, bound]) => [operator, convert(type, bound)] as const)
    if (converted.some(([, bound]) => bound === undefined)) return matchNone
    return terms.range(kinds[type.kind], mapBounds(converted, String))
  }
  const values = entries.map(([, bound]) => bound)
  if (values.every((bound) => typeof bound === 'number'))
    return terms.range(
      'n',
      mapBounds(entries, (bound) => sortableNumber(Number(bound))),
    )
  if (values.every((bound) => typeof bound === 'string' && isTimestampText(bound)))
    return anyOf([
      terms.range(
        't',
        mapBounds(entries, (bound) => sortableNumber(utcTimeOf(String(bound)))),
      ),
      terms.range('s', mapBounds(entries, String)),
    ])
  if (values.every((bound) => typeof bound === 'string' && !isTimestampText(bound)))
    return anyText(terms, mapBounds(entries, String), ['s', 'z'])
  // Bounds of several types: a value must be within each of them.
  return allOf(entries.map(([operator, bound]) => within(terms, type, { [operator]: bound })))
}

const anyText = (terms: Terms, bounds: Bounds<string>, textKinds: readonly TermKind[]): EngineQuery =>
  anyOf(textKinds.map((kind) => terms.range(kind, bounds)))

const mapBounds = <T>(entries: readonly (readonly [string, T])[], convertBound: (bound: T) => string): Bounds<string> =>
  Object.fromEntries(entries.map(([operator, bound]) => [operator, convertBound(bound)]))
