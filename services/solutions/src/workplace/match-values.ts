import { type DatasetKind, maxTreeLevels } from '@wp/contracts'
import { placeOfWork } from '@wp/tabular'

/** A space or team that a value may stand for. */
export interface Candidate {
  id: string
  name: string
  externalId: string | null
  /** The space or team above. */
  parentId: string | null
}

export interface Match {
  /** Null if the value stands for nothing. */
  id: string | null
  matchedBy: 'map' | 'external_id' | 'name' | 'none' | 'left_out'
}

/**
 * Creates a matcher of the values of a file: by the map, else by the external id, else by a name that exactly one
 * candidate has, or one within that of another: `North / Floor 1`. Case, spaces and signs between words do not count in
 * names; the floors -1 and 1, or 1.1 and 11, differ.
 */
export function createMatcher(
  candidates: readonly Candidate[],
  map: Readonly<Record<string, string | null>>,
): (value: string) => Match {
  const ids = new Set(candidates.map(({ id }) => id))
  const byExternalId = new Map(candidates.map(({ id, externalId }) => [externalId, id]))
  const byId = new Map(candidates.map((one) => [one.id, { ...one, plain: plainName(one.name) }]))
  const byName = Map.groupBy(byId.values(), ({ plain }) => plain)
  const isWithin = (around: string, plainAround: string) => (one: Candidate) => {
    let above = one.parentId === null ? undefined : byId.get(one.parentId)
    for (let level = 0; above !== undefined && level < maxTreeLevels; level++) {
      if (above.externalId === around || above.plain === plainAround) return true
      above = above.parentId === null ? undefined : byId.get(above.parentId)
    }
    return false
  }
  const within = (value: string): Candidate[] => {
    const end = value.lastIndexOf(pathSeparator)
    if (end < 0) return []
    const [around, name] = [value.slice(0, end), value.slice(end + pathSeparator.length)]
    return (byName.get(plainName(name)) ?? []).filter(isWithin(around, plainName(around)))
  }
  return (value) => {
    if (Object.hasOwn(map, value)) {
      const mapped = map[value] ?? null
      if (mapped === null) return { id: null, matchedBy: 'left_out' }
      if (ids.has(mapped)) return { id: mapped, matchedBy: 'map' }
    }
    const external = byExternalId.get(value)
    if (external !== undefined) return { id: external, matchedBy: 'external_id' }
    const [named, ...others] = byName.get(plainName(value)) ?? within(value)
    return named !== undefined && others.length === 0
      ? { id: named.id, matchedBy: 'name' }
      : { id: null, matchedBy: 'none' }
  }
}

/** Between the name of a building and that of a space in it. */
export const pathSeparator = ' / '

/** Returns true for a word such as `Home office` in a list of days; a space that has this name comes before it. */
export const isElsewhere = ({ kind }: { kind: DatasetKind }, value: string): boolean =>
  kind === 'attendance_days' && placeOfWork(value.split(pathSeparator).at(-1) ?? '') === 'home'

/** Returns a name without case, spaces and signs between words, by which two names are compared. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('−', '-')
    // A space after the sign, and a dash in its place, as in `- 1` and `–1`.
    .replace(/^\s*[-–]\s*(?=\d)/, '-')
    // A minus before a number, and a point between numbers, are kept as signs that are not removed.
    .replaceAll(/(?<![\p{L}\p{N}])-(?=\d)/gu, '−')
    .replaceAll(/(?<=\d)[\s_.-]+(?=\d)/g, '·')
    .replaceAll(/[\s_.-]+/g, '')
