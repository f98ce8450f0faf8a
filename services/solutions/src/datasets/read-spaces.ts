import { isDeepStrictEqual } from 'node:util'
import { isTimeZone, namesPlacesForCars, type SpaceKind, spaceKinds } from '@wp/contracts'
import { definedFields } from '@wp/database'
import type { Dataset, UnusedRows } from '../store/datasets.ts'
import type { SpaceContent, SpaceNode } from '../store/spaces.ts'
import { cellsOf } from './apply-page.ts'
import { readActive, readCount, readName } from './read-cells.ts'
import { isShare, minorUnitsOf, readAmount, type Statement, statementOf } from './read-costs.ts'
import { readOpeningHours } from './read-opening-hours.ts'
import {
  createPlaceReader,
  type ListedPlace,
  type ListedSpace,
  levelsOf,
  nameParents,
  orderSpaces,
  type Refuse,
} from './space-paths.ts'

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

const kindWords: Readonly<Record<SpaceKind, readonly string[]>> = {
  site: ['site', 'campus', 'location', 'standort', 'liegenschaft'],
  building: ['building', 'gebäude', 'haus', 'bâtiment'],
  floor: ['floor', 'level', 'storey', 'story', 'etage', 'stockwerk', 'geschoss', 'étage'],
  zone: ['zone', 'area', 'neighbourhood', 'neighborhood', 'bereich', 'wing', 'flügel'],
  room: ['room', 'raum', 'zimmer', 'office', 'büro', 'salle', 'meeting room', 'besprechungsraum'],
}

const innerKinds: readonly SpaceKind[] = ['floor', 'zone', 'room']

interface Refusal {
  reason: string
  example: unknown
}

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
