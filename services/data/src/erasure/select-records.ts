import {
  bodyPointer,
  type FieldFilter,
  maxDeletedRecords,
  maxExaminedRecords,
  nearestName,
  type RecordDeletion,
  validationProblem,
} from '@wp/contracts'
import type { Query } from '@wp/database'
import { declaredFieldsOf } from '../schema/declared-fields.ts'
import { checkFilterTypes } from '../search/query/filter/check-filter-types.ts'
import { matchesFilter } from '../search/query/filter/field-filter.ts'
import { comparisonOf, type SourceField } from '../search/query/filter/field-type.ts'
import { readFields } from '../store/records/read-fields.ts'
import { findRecordIds } from '../store/records/record-keys.ts'
import type { LockedSource } from '../store/sources/locked-source.ts'
import { maxFields } from '../store/sources/observed-fields.ts'

export interface SelectedRecords {
  recordIds: string[]
  /** Number of different keys, or of records that were examined. */
  seen: number
  /** Position after the last examined record; null if all were examined. */
  nextCursor: string | null
}

type Filter = Readonly<Record<string, FieldFilter>>

const pageRecords = 250

/**
 * Selects up to 1,000 records of a locked source. A filter examines up to 20,000 records, oldest first.
 * Values are compared as in searches, so that a filter deletes what a search with it finds.
 * @throws Problem `validation_failed` for a field that the source does not have and for a bound of another type than
 *   its field, `invalid_cursor`
 */
export async function selectRecords(
  query: Query,
  source: LockedSource,
  { keys, filter = {}, cursor }: RecordDeletion,
): Promise<SelectedRecords> {
  if (keys === undefined) return selectByFilter(query, source, filter, cursor)
  const distinct = [...new Set(keys)]
  return { recordIds: await findRecordIds(query, source, distinct), seen: distinct.length, nextCursor: null }
}

async function selectByFilter(
  query: Query,
  source: LockedSource,
  filter: Filter,
  cursor: string | undefined,
): Promise<SelectedRecords> {
  assertKnownFields(source, Object.keys(filter))
  const passes = createPredicate(source, filter)
  const selected: SelectedRecords = { recordIds: [], seen: 0, nextCursor: cursor ?? null }
  await query('SET LOCAL enable_sort = off') // as in record-keys.ts
  const fields = Object.keys(filter)
  do {
    const after = selected.nextCursor ?? undefined
    const page = await readFields(query, source.workspaceId, source.dataSourceId, { fields, after, limit: pageRecords })
    selected.recordIds.push(...page.recordIds.filter((_, nth) => passes(page.rows[nth] ?? [])))
    selected.seen += page.recordIds.length
    selected.nextCursor = page.after
    // A page is selected whole, so that its end is a position to continue from.
  } while (
    selected.nextCursor !== null &&
    selected.recordIds.length + pageRecords <= maxDeletedRecords &&
    selected.seen + pageRecords <= maxExaminedRecords
  )
  return selected
}

/** Returns the test of a record by its values of the filtered fields. @throws Problem `validation_failed` */
function createPredicate({ config, fields }: LockedSource, filter: Filter): (values: readonly unknown[]) => boolean {
  const declared = declaredFieldsOf(config)
  const observed = new Map(fields)
  const fieldOf = (name: string): SourceField => ({ declared: declared.get(name), kinds: observed.get(name) ?? 0 })
  checkFilterTypes(filter, (name) => [fieldOf(name)], 'filter')
  const conditions = Object.entries(filter).map(([name, condition]) => ({
    condition,
    comparison: comparisonOf(fieldOf(name)),
  }))
  return (values) =>
    conditions.every(({ condition, comparison }, column) => matchesFilter(values[column], condition, comparison))
}

const maxListedFields = 20

/**
 * Asserts that a source has the fields of a filter: `not` and `exists: false` on a misspelt one would match every
 * record.
 * @throws Problem `validation_failed`
 */
function assertKnownFields({ fields, config }: LockedSource, names: readonly string[]): void {
  if (fields.length >= maxFields) return // further fields are not tracked
  const known = [...new Set([...fields.map(([name]) => name), ...declaredFieldsOf(config).keys()])]
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw validationProblem(
    unknown.map((name) => ({ pointer: bodyPointer(['filter', name]), detail: describeUnknown(name, known) })),
  )
}

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
  const listed = known.slice(0, maxListedFields).join(', ')
  const fields = `${listed}${known.length > maxListedFields ? ', …' : ''}`
  return `is not a field of the data source${hint}; its fields are ${fields}`
}
