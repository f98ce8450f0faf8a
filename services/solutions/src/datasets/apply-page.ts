import { createHash } from 'node:crypto'
import { type DatasetKind, datasetRoles } from '@wp/contracts'
import type { Query } from '@wp/database'
import { factColumns, packFacts, toFactTable, usePlace } from '../attendance/counting/facts.ts'
import { addValueRows, type Dataset, type UnusedRows, withoutLength } from '../store/datasets.ts'
import { addBookingUses, insertSegments } from '../store/facts.ts'
import { numberPeople } from '../store/workplace-settings.ts'
import { dateOf } from '../workplace/local-days.ts'
import type { ZoneOffset } from './read-cells.ts'
import { type CountedKind, createRowReader, type RowFact } from './read-row.ts'

/** A change of a row, with its cells in the order of `fieldsOf`. */
export interface RowChange {
  previous: readonly unknown[] | null
  current: readonly unknown[] | null
}

/** The roles of a mapping in the order of the contract, and their columns. */
export const rolesOf = ({ kind, mapping }: Pick<Dataset, 'kind' | 'mapping'>): string[] =>
  Object.keys(datasetRoles[kind]).filter((role) => Object.hasOwn(mapping, role))

/** Returns the columns of a dataset, each once. */
export const fieldsOf = (dataset: Pick<Dataset, 'kind' | 'mapping'>): string[] => [
  ...new Set(rolesOf(dataset).map((role) => dataset.mapping[role] ?? '')),
]

/** Returns the cells of a row by role. */
export function cellsOf(
  dataset: Pick<Dataset, 'kind' | 'mapping'>,
): (row: readonly unknown[]) => Record<string, unknown> {
  const fields = fieldsOf(dataset)
  const places = rolesOf(dataset).map((role) => [role, fields.indexOf(dataset.mapping[role] ?? '')] as const)
  return (row) => Object.fromEntries(places.map(([role, place]) => [role, row[place] ?? null]))
}

export interface PageContext {
  workspaceId: string
  dataset: Dataset & { kind: CountedKind }
  zoneOf: (space: string | undefined) => ZoneOffset
  salt: Uint8Array
  /** Numbers of people that are known already, by text. */
  people: Map<string, number>
}

/** The changes that a page made. */
export interface PageResult {
  /** Local days with changed facts, such as `2026-03-05`; `1970-01-01` for people. */
  days: string[]
  rowsRead: number
  unusedRows: UnusedRows
  hasInstants: boolean
}

/** A fact that is added, or taken away by a negative count. */
interface CountedFact {
  fact: RowFact
  count: number
  /** True for the first fact of its row. */
  isFirst: boolean
}

/** Applies the changes of one page: facts of rows that are gone are taken away, those of new rows added. */
export async function applyPage(
  query: Query,
  context: PageContext,
  changes: readonly RowChange[],
): Promise<PageResult> {
  const { dataset, workspaceId } = context
  const readRow = createRowReader(dataset.kind, context.zoneOf, dataset.mapping)
  const toCells = cellsOf(dataset)
  const facts: CountedFact[] = []
  const unusedRows = structuredClone(dataset.unusedRows)
  let [rowsRead, hasInstants] = [dataset.rowsRead, dataset.hasInstants]
  for (const { previous, current } of changes)
    for (const [row, count] of [[previous, -1] as const, [current, 1] as const]) {
      if (row === null) continue
      rowsRead += count
      const ofRow = readRow(toCells(row))
      if ('reason' in ofRow) countUnused(unusedRows, ofRow, count)
      else {
        if (dataset.kind === 'bookings' && isWithoutLength(ofRow))
          countUnused(unusedRows, { reason: withoutLength, example: null }, count)
        facts.push(...ofRow.map((fact, at) => ({ fact, count, isFirst: at === 0 })))
        hasInstants ||= ofRow.some(({ isInstant }) => isInstant)
      }
    }
  const values = await numberValues(query, context, facts)
  await numberNewPeople(query, context, facts)
  const rowsByDay = Map.groupBy(
    facts.map(({ fact, count }) => ({
      day: fact.day,
      count,
      fact: [
        fact.person === undefined ? -1 : (context.people.get(fact.person) ?? -1),
        fact.space === undefined ? -1 : (values.get(`space ${fact.space}`) ?? -1),
        fact.team === undefined ? -1 : (values.get(`team ${fact.team}`) ?? -1),
        ...fact.numbers,
      ],
    })),
    ({ day }) => day,
  )
  const segments = [...rowsByDay]
    .map(([day, rows]) => ({ day: dateOf(day), table: toFactTable(dataset.kind, rows) }))
    .filter(({ table }) => table.counts.length > 0)
  await insertSegments(
    query,
    workspaceId,
    dataset.id,
    segments.map(({ day, table }) => ({ day, facts: packFacts(table) })),
  )
  if (dataset.kind === 'bookings') await addBookingUses(query, workspaceId, dataset.id, countUses(facts, values))
  return { days: segments.map(({ day }) => day), rowsRead, unusedRows, hasInstants }
}

/** Counts what the column of use says of bookings that are not cancelled, by the day on which they begin and space. */
function countUses(facts: readonly CountedFact[], values: ReadonlyMap<string, number>) {
  const uses = new Map<string, Parameters<typeof addBookingUses>[3][number]>()
  for (const { fact, count, isFirst } of facts) {
    const use = useOf(fact)
    if (use === undefined || !isFirst) continue
    const valueId = values.get(`space ${fact.space}`) ?? -1
    const key = `${fact.day} ${valueId}`
    const own = uses.get(key) ?? { day: dateOf(fact.day), valueId, used: 0, unused: 0, blank: 0 }
    uses.set(key, { ...own, [use]: own[use] + count })
  }
  return [...uses.values()]
}

/** Returns what the column of use says of a booking that is not cancelled. */
const useOf = ({ numbers }: RowFact): 'unused' | 'used' | 'blank' | undefined =>
  numbers[cancelledPlace] === 1 ? undefined : (['unused', 'used', 'blank'] as const)[numbers[usePlace] ?? -1]
const cancelledPlace = factColumns.bookings.indexOf('isCancelled')

const [startPlace, endPlace] = [factColumns.bookings.indexOf('start'), factColumns.bookings.indexOf('end')]
const isWithoutLength = (facts: readonly RowFact[]): boolean =>
  facts.every(({ numbers }) => numbers[startPlace] === numbers[endPlace])

/** Returns the kinds that are counted. */
export const isCountedKind = (kind: DatasetKind): kind is CountedKind => kind !== 'spaces' && kind in factColumns

function countUnused(
  unusedRows: UnusedRows,
  { reason, example }: { reason: string; example: string | null },
  by: number,
) {
  const known = unusedRows[reason]
  const rows = (known?.rows ?? 0) + by
  if (rows <= 0) delete unusedRows[reason]
  else unusedRows[reason] = { rows, example: known?.example ?? example }
}

/** Adds the rows of each value of a space or team. @returns their numbers */
async function numberValues(
  query: Query,
  { workspaceId, dataset }: PageContext,
  facts: readonly CountedFact[],
): Promise<Map<string, number>> {
  const rows = new Map<string, { role: string; value: string; rows: number }>()
  for (const { fact, count, isFirst } of facts)
    for (const role of ['space', 'team'] as const) {
      const value = fact[role]
      if (value === undefined || !isFirst) continue
      const key = `${role} ${value}`
      const known = rows.get(key) ?? { role, value, rows: 0 }
      rows.set(key, known)
      known.rows += count
    }
  const stored = await addValueRows(query, workspaceId, dataset.id, [...rows.values()])
  return new Map(stored.map(({ role, value, valueId }) => [`${role} ${value}`, valueId]))
}

async function numberNewPeople(
  query: Query,
  { workspaceId, salt, people }: PageContext,
  facts: readonly CountedFact[],
): Promise<void> {
  const names = new Set(facts.flatMap(({ fact }) => fact.person ?? []))
  const unknown = [...names].filter((name) => !people.has(name))
  if (unknown.length === 0) return
  if (people.size > maxKnownPeople) people.clear()
  const digests = new Map(
    [...names].filter((name) => !people.has(name)).map((name) => [hexOf(digestOf(salt, name)), name]),
  )
  const rows = await numberPeople(
    query,
    workspaceId,
    [...digests.keys()].map((hex) => Buffer.from(hex, 'hex')),
  )
  for (const { digest, personId } of rows) {
    const name = digests.get(hexOf(digest))
    if (name !== undefined) people.set(name, personId)
  }
}
const maxKnownPeople = 500_000

const digestOf = (salt: Uint8Array, name: string): Uint8Array =>
  createHash('sha256').update(salt).update(name).digest().subarray(0, 16)
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
