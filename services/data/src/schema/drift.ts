import type { SchemaChange } from '@wp/contracts'
import { type Declarations, declaredBy, misfit, readerOf } from './declared.ts'
import { type Fields, noteRow, type StoredFields } from './fields.ts'
import { type Kinds, kindOf, typeOf } from './kinds.ts'

/** How many values of a declared field are not as declared, and of which kinds. */
export type Misfits = Map<string, Misfit>
interface Misfit {
  count: number
  kinds: Kinds
}

/** As they lie in the database. */
export type StoredMisfits = Record<string, Misfit>

/** What rows were seen to hold. */
export interface Seen {
  fields: Fields
  misfits: Misfits
  /** Takes note of one row. */
  note(row: Readonly<Record<string, unknown>>): void
}

/** Begins to take note of rows of a source. */
export function takeNote(config: Declarations): Seen {
  const [fields, misfits]: [Fields, Misfits] = [new Map(), new Map()]
  const readers = [...declaredBy(config)].map(([name, field]) => ({ name, read: readerOf(field) }))
  return {
    fields,
    misfits,
    note(row) {
      noteRow(fields, row)
      for (const { name, read } of readers)
        if (Object.hasOwn(row, name) && read(row[name]) === misfit)
          add(misfits, name, { count: 1, kinds: kindOf(row[name]) })
    },
  }
}

function add(misfits: Misfits, name: string, { count, kinds }: Misfit): void {
  const known = misfits.get(name)
  misfits.set(name, { count: (known?.count ?? 0) + count, kinds: (known?.kinds ?? 0) | kinds })
}

/** Both together; the same object where nothing is new. */
export function mergeMisfits(stored: StoredMisfits, seen: Misfits): StoredMisfits {
  if (seen.size === 0) return stored
  const merged: Misfits = new Map(Object.entries(stored))
  for (const [name, more] of seen) add(merged, name, more)
  return Object.fromEntries(merged)
}

const mostChanges = 100

/** What a sync found otherwise than it was before, and otherwise than it was declared. */
export function schemaChanges(
  before: StoredFields,
  after: StoredFields,
  config: Declarations,
  misfits: StoredMisfits,
): SchemaChange[] {
  const [was, is] = [typesOf(before), typesOf(after)]
  const declared = declaredBy(config)
  const changes: SchemaChange[] = []
  for (const [field, { count, kinds }] of Object.entries(misfits))
    changes.push({
      field,
      change: 'not_as_declared',
      from: declared.get(field)?.type ?? null,
      to: typeOf(kinds),
      count,
    })
  for (const [field, to] of is) {
    const from = was.get(field)
    // The first rows of all change nothing.
    if (from === undefined && was.size > 0) changes.push({ field, change: 'added', from: null, to })
    if (from !== undefined && from !== to) changes.push({ field, change: 'type_changed', from, to })
  }
  for (const [field, from] of was) if (!is.has(field)) changes.push({ field, change: 'removed', from, to: null })
  return changes.slice(0, mostChanges)
}

const typesOf = (fields: StoredFields) => new Map(fields.map(([name, kinds]) => [name, typeOf(kinds)]))
