import { countryOfZone, zoneOfCountry } from '@wp/contracts'
import type { SpaceNode } from '../store/spaces.ts'
import { effectiveValues } from './inherit.ts'
import { listNames } from './tree.ts'

/** A space or team with the space that it is in, and those around that. */
interface PlacedNode {
  id: string
  parentId: string | null
  name: string
  place: readonly SpaceNode[]
}

/** Returns the warnings about spaces or teams of a forecast of which no public holidays are known. */
export function unknownHolidayWarnings(nodes: readonly PlacedNode[]): string[] {
  const around = new Set(nodes.map(({ parentId }) => parentId))
  const innermost = nodes.filter(({ id }) => !around.has(id))
  const homeless = innermost.filter(({ place }) => place.length === 0).map(({ name }) => name)
  return [
    ...missingCountryWarnings(innermost.map(({ place }) => place)),
    ...(homeless.length === 0
      ? []
      : [
          `Where ${listNames(homeless)} sit is not known, so that public holidays count as working days for them: state their home (home_space_id).`,
        ]),
  ]
}

/**
 * Returns the warnings about spaces without a country, whose public holidays count as working days, and about those in
 * UTC whose country has another time zone.
 * @param paths of spaces, from the inside out
 */
export function missingCountryWarnings(paths: readonly (readonly SpaceNode[])[]): string[] {
  const sites = new Map(
    paths.flatMap((path) => {
      const [site, values] = [path.at(-1), effectiveValues(path)]
      return site === undefined || values.country !== null ? [] : [[site.id, { name: site.name, ...values }] as const]
    }),
  )
  const inUtc = new Map(
    paths.flatMap((path) => {
      const [site, { country, timezone }] = [path.at(-1), effectiveValues(path)]
      const zone = zoneOfCountry.get(country ?? '')
      if (site === undefined || zone === undefined || timezone !== 'UTC' || zone === timezone) return []
      return [[site.id, `${site.name} (${country}: ${zone})`] as const]
    }),
  )
  const zones = [...inUtc.values()]
  const wrongZone =
    zones.length === 0
      ? []
      : [
          `Days and hours are those of UTC for ${listNames(zones)}. State its time zone (timezone): days are counted again.`,
        ]
  if (sites.size === 0) return wrongZone
  const names = [...sites.values()].map(({ name, timezone }) => {
    const country = countryOfZone.get(timezone)
    return country === undefined ? name : `${name} (${timezone} suggests ${country})`
  })
  return [
    ...wrongZone,
    `No country is stated for ${listNames(names)}: public holidays such as Christmas count as working days there. State its country (country).`,
  ]
}
