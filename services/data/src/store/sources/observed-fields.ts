/** The kinds of values a field was seen to hold, as a bit set; see schema/value-kinds.ts. */
export type Kinds = number

/** The kinds seen in each field, in the order of first appearance. */
export type ObservedFields = Map<string, Kinds>

/** The stored form of `ObservedFields`. */
export type StoredFields = [name: string, kinds: Kinds][]

interface TypeMismatch {
  count: number
  kinds: Kinds
}

/** Values without the declared type of their field: how many, and of which kinds. */
export type TypeMismatches = Map<string, TypeMismatch>

/** The stored form of `TypeMismatches`. */
export type StoredTypeMismatches = Record<string, TypeMismatch>

/** Observations of some rows. */
export interface Observations {
  fields: ObservedFields
  typeMismatches: TypeMismatches
}

/** Further fields are not tracked: a source with more is not tabular. */
export const maxFields = 500
const maxNameLength = 200

/** Adds kinds to a field. */
export function addKinds(fields: ObservedFields, name: string, kinds: Kinds): void {
  const known = fields.get(name)
  if (known === undefined) {
    if (fields.size < maxFields && name.length <= maxNameLength) fields.set(name, kinds)
  } else if ((known | kinds) !== known) fields.set(name, known | kinds)
}

/** Merges observed fields into stored ones. Returns `stored` itself if nothing is new. */
export function mergeFields(stored: StoredFields, observed: ObservedFields): StoredFields {
  const merged = new Map(stored)
  for (const [name, kinds] of observed) addKinds(merged, name, kinds)
  const isSame = merged.size === stored.length && stored.every(([name, kinds]) => merged.get(name) === kinds)
  return isSame ? stored : [...merged]
}

/** Adds mismatches of a field. */
export function addMismatch(mismatches: TypeMismatches, name: string, { count, kinds }: TypeMismatch): void {
  const known = mismatches.get(name)
  mismatches.set(name, { count: (known?.count ?? 0) + count, kinds: (known?.kinds ?? 0) | kinds })
}

/** Merges observed mismatches into stored ones. Returns `stored` itself if nothing is new. */
export function mergeTypeMismatches(stored: StoredTypeMismatches, observed: TypeMismatches): StoredTypeMismatches {
  if (observed.size === 0) return stored
  const merged: TypeMismatches = new Map(Object.entries(stored))
  for (const [name, mismatch] of observed) addMismatch(merged, name, mismatch)
  return Object.fromEntries(merged)
}
