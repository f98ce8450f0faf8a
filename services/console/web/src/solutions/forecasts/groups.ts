/** The values of the fields that name a series. */
export type SeriesKey = Readonly<Record<string, string>>

/**
 * Returns the group key of a series, under which `capacity` and `closures` of a run name it: its values joined by `/`,
 * in which `~` is written `~0` and `/` is written `~1`; a single value stands as it is.
 * @param groupBy the order of the fields, before the column of the values if that is one of several; default
 *   alphabetical, as for inline series
 */
export function groupKeyOf(key: SeriesKey, groupBy?: readonly string[]): string {
  const values = (groupBy ?? Object.keys(key).sort()).map((field) => key[field] ?? '')
  if (values.length < 2) return values[0] ?? ''
  return values.map((value) => value.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
}

/** Returns the id of the space or team of a series; undefined for series of other data. */
export const workplaceId = ({ space, team, name }: SeriesKey): string | undefined =>
  name !== undefined && /^(?:spc|team)_/.test(space ?? team ?? '') ? (space ?? team) : undefined

/** Returns the name of a series for people: its values; `All values` for the only series of a run without groups. */
export const groupName = (key: SeriesKey): string =>
  workplaceId(key) === undefined ? Object.values(key).filter(Boolean).join(' / ') || 'All values' : (key.name ?? '')

/** As many groups are compared in a chart as there are colours. */
export const maxComparedGroups = 6

/** Reads the group keys of a search parameter. */
export function readGroups(groups: unknown): string[] | undefined {
  if (!Array.isArray(groups)) return undefined
  const keys = groups.flatMap((key) => (typeof key === 'string' || typeof key === 'number' ? [String(key)] : []))
  return keys.length === 0 ? undefined : [...new Set(keys)].slice(0, maxComparedGroups)
}

/** Reads the percentage of the range of a chart. */
export const readRange = (range: unknown): number | undefined =>
  typeof range === 'number' && range > 0 && range < 100 ? range : undefined
