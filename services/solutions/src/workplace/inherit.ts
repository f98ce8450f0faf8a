import { defaultOpeningHours, type OpeningHours } from '@wp/contracts'
import type { SpaceNode } from '../store/spaces.ts'

/** The values of a space with what it inherits. */
export interface EffectiveValues {
  timezone: string
  country: string | null
  subdivision: string | null
  currency: string | null
  openingHours: OpeningHours
}

type Inherited = Pick<SpaceNode, 'timezone' | 'country' | 'subdivision' | 'currency' | 'openingHours'>

/**
 * Returns the values that apply to a space: the nearest on the path from it outwards. A subdivision belongs to the
 * country it is stated with, so it is not inherited past a space that states another country.
 *
 * @param path the space and those around it, from the inside out
 */
export function effectiveValues(path: readonly Inherited[]): EffectiveValues {
  const nearest = <Field extends keyof Inherited>(field: Field) => path.find((space) => space[field] !== null)?.[field]
  const countryAt = path.findIndex(({ country }) => country !== null)
  const subdivisions = countryAt < 0 ? path : path.slice(0, countryAt + 1)
  return {
    timezone: nearest('timezone') ?? 'UTC',
    country: nearest('country') ?? null,
    subdivision: subdivisions.find(({ subdivision }) => subdivision !== null)?.subdivision ?? null,
    currency: nearest('currency') ?? null,
    openingHours: (nearest('openingHours') as OpeningHours | undefined) ?? defaultOpeningHours, // written from the contract's shape
  }
}
