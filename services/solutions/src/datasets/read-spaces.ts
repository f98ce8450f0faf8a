import { isDeepStrictEqual } from 'node:util'
import { isTimeZone, maxTreeLevels, namesPlacesForCars, type SpaceKind, spaceKinds } from '@wp/contracts'
import { definedFields } from '@wp/database'
import type { Dataset, UnusedRows } from '../store/datasets.ts'
import type { SpaceContent, SpaceNode } from '../store/spaces.ts'
import { cellsOf } from './apply-page.ts'
import { readActive, readCount, readName } from './read-cells.ts'
import { isShare, minorUnitsOf, readAmount, type Statement, statementOf } from './read-costs.ts'
import { readOpeningHours } from './read-opening-hours.ts'
import { createPlaceReader, type ListedPlace, levelsOf } from './space-paths.ts'

/** A space of a list. */
export interface ListedSpace extends Omit<ListedPlace, 'name' | 'kind'> {
  content: Pick<SpaceContent, 'name' | 'kind'> & Partial<SpaceContent>
}

/**
 * Reads the rows of a list into spaces, those further out first, with those that its rows name around theirs. Rows that
 * cannot be used are counted by reason, as are those whose opening hours alone are not used.
 *
 * @param known the spaces of the workspace by external id, in which those of the list may lie
 * @param nodes the spaces of the workspace, which a list with a column for each level names by their names
 */
export function readSpaces(
  dataset: Pick<Dataset, 'kind' | 'mapping'>,
  rows: readonly (readonly unknown[])[],
  known: ReadonlyMap<string | null, string>,
  nodes: readonly SpaceNode[] = [],
): { spaces: ListedSpace[]; unusedRows: UnusedRows } {
  const cells = rows.map(cellsOf(dataset))
  const statement = statementOf(dataset.mapping, cells)
  const levels = levelsOf(dataset.mapping)
  const toPlaces = levels.length > 0 ? createPlaceReader(levels, cells, nodes) : readPlace
  const unusedRows: UnusedRows = {}
  const refuse: Refuse = (reason, example) => {
    const counted = unusedRows[reason]
    const text = example === null || example === undefined ? null : String(example).slice(0, 80)
    unusedRows[reason] = { rows: (counted?.rows ?? 0) + 1, example: counted?.example ?? text }
  }
  const listed = new Map<string, ListedSpace>()
  const refusedNames = new Set<string | undefined>()
  const around = new Map<string, ListedSpace>()
  const unreadHours = new Map<string, Refusal>()
  for (const row of cells) {
    const places = toPlaces(row)
    const read = 'reason' in places ? places : readSpace(row, dataset.mapping, places, statement)
    if ('reason' in read) {
      refuse(read.reason, read.example)
      for (const cell of [row.external_id, row.name]) refusedNames.add(readName(cell))
    } else if (listed.has(read.externalId)) refuse('external_id_repeated', read.externalId)
    else {
      const { unread, ...space } = read
      if (unread !== undefined) unreadHours.set(space.externalId, unread)
      listed.set(space.externalId, space)
      if (!('reason' in places))
        for (const { name, kind, ...place } of places.slice(0, -1)) {
          const outer = around.get(place.externalId)
          const facts = commonFacts(space.content, outer?.content, unread !== undefined)
          around.set(place.externalId, { ...place, ...outer, content: { name, kind, ...outer?.content, ...facts } })
        }
    }
  }
  nameParents(listed, known)
  for (const [externalId, { content, ...place }] of around)
    if (!listed.has(externalId)) listed.set(externalId, { ...place, content })
  const spaces = orderSpaces(listed, known, { refuse, refusedNames })
  for (const { externalId } of spaces) {
    const unread = unreadHours.get(externalId)
    if (unread !== undefined) refuse(unread.reason, unread.example)
  }
  return { spaces, unusedRows }
}

/** Replaces the name of a parent by its id, where no space has this id and only one this name. */
function nameParents(listed: ReadonlyMap<string, ListedSpace>, known: ReadonlyMap<string | null, string>): void {
  const byName = Map.groupBy(listed.values(), ({ content }) => content.name)
  for (const space of listed.values()) {
    const { parentExternalId: parent } = space
    const [named, ...others] =
      (isString(parent) && !listed.has(parent) && !known.has(parent) && byName.get(parent)) || []
    if (named !== undefined && others.length === 0 && named !== space) space.parentExternalId = named.externalId
  }
}

/**
 * Returns what rows say of the place of a space as one, which is that of the space around them too: without it a site
 * would have no holidays, and the days of UTC. Undefined where two rows differ.
 *
 * @param outer what the rows before say, without the fields of which none has said anything yet
 * @param hasUnreadHours the row says nothing of its hours that could be read, so it does not differ from others
 */
function commonFacts(row: Partial<SpaceContent>, outer: Partial<SpaceContent> = {}, hasUnreadHours = false) {
  const common = <Field extends (typeof inheritedFields)[number]>(field: Field) =>
    !(field in outer) || isDeepStrictEqual(outer[field], row[field]) ? row[field] : undefined
  const stated = inheritedFields.filter((field) => !(hasUnreadHours && field === 'openingHours'))
  return Object.fromEntries(stated.map((field) => [field, common(field)]))
}

const inheritedFields = ['timezone', 'country', 'subdivision', 'currency', 'openingHours'] as const

/**
 * Returns the spaces that lie where they may, those further out first. What lies in a refused one is refused too.
 * @param refusedNames ids and names of the rows that are refused already
 */
function orderSpaces(
  listed: ReadonlyMap<string, ListedSpace>,
  known: ReadonlyMap<string | null, string>,
  { refuse, refusedNames }: { refuse: Refuse; refusedNames: ReadonlySet<string | undefined> },
): ListedSpace[] {
  const levelOf = (space: ListedSpace): number => {
    let [level, at]: [number, ListedSpace | undefined] = [1, space]
    while (at !== undefined && isString(at.parentExternalId) && level <= maxTreeLevels + 1) {
      at = listed.get(at.parentExternalId)
      level++
    }
    return level
  }
  const rank = ({ content }: ListedSpace) => spaceKinds.indexOf(content.kind as SpaceKind) // read from these words alone
  const usable: { space: ListedSpace; level: number }[] = []
  for (const space of listed.values()) {
    const level = levelOf(space)
    const { parentExternalId } = space
    const parent = isString(parentExternalId) ? listed.get(parentExternalId) : undefined
    if (level > maxTreeLevels) refuse('levels_exceeded', space.externalId)
    else if (isString(parentExternalId) && parent === undefined && !known.has(parentExternalId))
      if (refusedNames.has(parentExternalId)) refuse('parent_unused', space.externalId)
      else refuse('parent_unknown', parentExternalId)
    else if (parent !== undefined && rank(space) < rank(parent)) refuse('kind_above_parent', space.externalId)
    else usable.push({ space, level })
  }
  const kept = new Set<string>()
  const spaces: ListedSpace[] = []
  for (const { space } of usable.sort((a, b) => a.level - b.level)) {
    const parent = space.parentExternalId
    if (isString(parent) && !kept.has(parent) && !(known.has(parent) && !listed.has(parent)))
      refuse('parent_unused', space.externalId)
    else {
      kept.add(space.externalId)
      spaces.push(space)
    }
  }
  return spaces
}

const kindWords: Readonly<Record<SpaceKind, readonly string[]>> = {
  site: ['site', 'campus', 'location', 'standort', 'liegenschaft'],
  building: ['building', 'gebäude', 'haus', 'bâtiment'],
  floor: ['floor', 'level', 'storey', 'story', 'etage', 'stockwerk', 'geschoss', 'étage'],
  zone: ['zone', 'area', 'neighbourhood', 'neighborhood', 'bereich', 'wing', 'flügel'],
  room: ['room', 'raum', 'zimmer', 'office', 'büro', 'salle', 'meeting room', 'besprechungsraum'],
}

const innerKinds: readonly SpaceKind[] = ['floor', 'zone', 'room']

type Refuse = (reason: string, example: unknown) => void

interface Refusal {
  reason: string
  example: unknown
}

const isString = (value: unknown): value is string => typeof value === 'string'

/** Reads the place of a row that states its kind and in which space it lies. */
function readPlace(cells: Record<string, unknown>): ListedPlace[] | Refusal {
  const [externalId, name] = [readName(cells.external_id), readName(cells.name)]
  if (externalId === undefined) return { reason: 'external_id_missing', example: cells.name }
  if (name === undefined) return { reason: 'name_missing', example: externalId }
  const word = readName(cells.kind)?.toLowerCase()
  const kind = spaceKinds.find((name) => kindWords[name].includes(word ?? ''))
  if (kind === undefined) return { reason: 'kind_unknown', example: cells.kind }
  return [{ externalId, name, kind, parentExternalId: readName(cells.parent_id) ?? null }]
}

/** Reads what a row says of its space, the last of its places. */
function readSpace(
  cells: Record<string, unknown>,
  mapping: Dataset['mapping'],
  places: readonly ListedPlace[],
  { currency: listed, shareUnit, costScale }: Statement,
): (ListedSpace & { unread?: Refusal }) | Refusal {
  const place = places.at(-1)
  if (place === undefined) throw new Error('a row has a place')
  const { name, kind, ...identity } = place
  const isActive = readActive(cells.active)
  if (isActive !== true)
    return { reason: isActive === false ? 'not_active' : 'active_unreadable', example: cells.active }
  const capacity = readCount(cells.capacity)
  if (capacity === 'unreadable') return { reason: 'capacity_unreadable', example: cells.capacity }
  const ownName = readName(cells.name) ?? name
  // In the sum of a building they would be places for people.
  if (innerKinds.includes(kind) && capacity !== 'empty' && capacity > 0 && namesPlacesForCars.test(ownName))
    return { reason: 'capacity_for_cars', example: ownName }
  const area = readAmount(cells.area_m2)
  if (area === 'unreadable') return { reason: 'area_unreadable', example: cells.area_m2 }
  const cost = readAmount(cells.annual_cost)
  if (cost === 'unreadable') return { reason: 'annual_cost_unreadable', example: cells.annual_cost }
  const share = readAmount(cells.avoidable_share)
  if (share === 'unreadable' || (share !== null && !isShare(share, shareUnit)))
    return { reason: 'avoidable_share_unreadable', example: cells.avoidable_share }
  const timezone = readName(cells.timezone)
  if (timezone !== undefined && !isTimeZone(timezone)) return { reason: 'timezone_unknown', example: timezone }
  const codes = { currency: /^[A-Z]{3}$/, country: /^[A-Z]{2}$/, subdivision: /^[A-Z0-9]{1,3}$/ }
  for (const [role, pattern] of Object.entries(codes)) {
    const code = readName(cells[role])
    if (code !== undefined && !pattern.test(code)) return { reason: `${role}_unknown`, example: code }
  }
  const currency = readName(cells.currency) ?? listed
  const openingHours = readOpeningHours(cells.opening_hours)
  // The space is right without its hours; without the space, all in it would be refused.
  const unread = typeof openingHours === 'string' && {
    reason: `opening_hours_${openingHours}`,
    example: `${identity.externalId}, ${mapping.opening_hours}: ${cells.opening_hours}`,
  }
  const columns = definedFields({
    capacity: capacity === 'empty' ? undefined : capacity,
    areaM2: area ?? undefined,
    annualCost: cost === null ? undefined : BigInt(Math.round(cost * costScale * minorUnitsOf(currency))),
    avoidableShare: share === null ? undefined : share / shareUnit,
    timezone,
    currency: cost === null ? readName(cells.currency) : currency,
    country: readName(cells.country),
    subdivision: readName(cells.subdivision),
    openingHours: typeof openingHours === 'string' ? undefined : (openingHours ?? undefined),
  })
  return { ...identity, content: { name: ownName.slice(0, 200), kind, ...columns }, ...(unread && { unread }) }
}
