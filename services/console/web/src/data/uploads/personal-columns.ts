import type { DatasetKind, Mapping } from '../../workplace/datasets/dataset-words.ts'

/** Roles whose values name people. The others are needed as they are, such as the names of places. */
const personRoles: ReadonlySet<string> = new Set(['person'])

/**
 * Returns the columns whose values are replaced to protect people.
 *
 * @param suggested columns that seem to be about persons
 */
export function personalColumns(suggested: readonly string[], mapping: Mapping): string[] {
  const needed = new Set(Object.entries(mapping).flatMap(([role, column]) => (personRoles.has(role) ? [] : [column])))
  const person = mapping.person === undefined ? [] : [mapping.person]
  return [...new Set([...person, ...suggested])].filter((column) => !needed.has(column))
}

/** Returns true for kinds of files about what people did: these are protected unless a person declines it. */
export const isAboutPeople = (kind: DatasetKind | undefined): boolean =>
  kind === 'badge_events' || kind === 'attendance_days' || kind === 'people' || kind === 'bookings'
