import { nearestName } from '@wp/contracts'
import { declaredFieldsOf } from '../../../schema/declared-fields.ts'
import type { SearchSource } from '../../../store/search/list-search-sources.ts'
import { listFieldNames } from '../../../store/sources/field-names.ts'
import type { Warning } from '../../rank/warning.ts'
import type { SearchSession } from '../../session/search-session.ts'
import type { SearchInput } from '../input/search-input.ts'
import { checkFilterTypes } from './check-filter-types.ts'
import { type Comparison, compareAsStored } from './field-filter.ts'
import { comparisonOf, type SourceField } from './field-type.ts'

/** The fields that a search names, as its sources know them. */
export interface SearchedFields {
  sources: readonly SearchSource[]
  /** Returns a field of a source; undefined if the source does not have it. */
  find(dataSourceId: string, name: string): SourceField | undefined
  comparisonOf(dataSourceId: string, name: string): Comparison
  warnings: Warning[]
}

type NamedFields = Pick<SearchInput, 'dataSourceIds' | 'filters' | 'facets' | 'sort'>

/**
 * Looks up the fields that a search names.
 * @returns also warnings about fields that no source has, and about values that no record can have
 * @throws Problem `validation_failed` for a bound of another type than its field
 */
export async function resolveFields(session: SearchSession, input: NamedFields): Promise<SearchedFields> {
  const names = namesOf(input)
  const sources = session.sources.filter(({ dataSourceId }) => input.dataSourceIds?.includes(dataSourceId) ?? true)
  const known = new Map(sources.map((source) => [source.dataSourceId, fieldsOf(source, names)]))
  const find = (dataSourceId: string, name: string) => known.get(dataSourceId)?.get(name)
  const comparisons = new Map(
    [...known].map(([id, fields]) => [id, new Map([...fields].map(([name, field]) => [name, comparisonOf(field)]))]),
  )
  const listFields = (name: string) => [...known.values()].flatMap((fields) => fields.get(name) ?? [])
  const isObserved = sources.every(({ isFullyObserved }) => isFullyObserved)
  const unknown = isObserved ? names.filter((name) => listFields(name).length === 0) : []
  const mismatches = checkFilterTypes(input.filters ?? {}, isObserved ? listFields : () => [])
  return {
    sources,
    find,
    comparisonOf: (dataSourceId, name) => comparisons.get(dataSourceId)?.get(name) ?? compareAsStored,
    warnings: [...(await warnOfUnknownFields(session, input, unknown)), ...mismatches],
  }
}

/** Returns the name of the field of `sort`, and its direction. */
export const parseSort = (sort: string): { field: string; isDescending: boolean } =>
  sort.startsWith('-') ? { field: sort.slice(1), isDescending: true } : { field: sort, isDescending: false }

/** Returns the names of the fields that a search names. */
export const namesOf = ({ filters = {}, facets = [], sort }: NamedFields): string[] => [
  ...new Set([...Object.keys(filters), ...facets, ...(sort === undefined ? [] : [parseSort(sort).field])]),
]

function fieldsOf({ declarations, kinds }: SearchSource, names: readonly string[]): Map<string, SourceField> {
  const declaredFields = declaredFieldsOf(declarations)
  const fields = new Map<string, SourceField>()
  for (const name of names) {
    const declared = declaredFields.get(name)
    const observed = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (declared !== undefined || observed !== undefined) fields.set(name, { declared, kinds: observed ?? 0 })
  }
  return fields
}

async function warnOfUnknownFields(
  { query, workspaceId }: SearchSession,
  { dataSourceIds }: NamedFields,
  unknown: readonly string[],
): Promise<Warning[]> {
  if (unknown.length === 0) return []
  const names = await listFieldNames(query, workspaceId, dataSourceIds)
  return unknown.map((name) => {
    const nearest = nearestName(name, names)
    const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
    return { code: 'unknown_field', message: `No searched data source has the field "${name}"${hint}` }
  })
}
