import { z } from 'zod'
import { boundedArray } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { isTimeZone } from '../../core/shape/locale.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { metadata, metadataPatch, text, timestamp } from '../../core/shape/shape.ts'

/** The kinds of spaces, from the outermost to the innermost. */
export const spaceKinds = ['site', 'building', 'floor', 'zone', 'room'] as const
export type SpaceKind = (typeof spaceKinds)[number]

/** Levels of the tree of spaces, and of the tree of teams. */
export const maxTreeLevels = 8

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time of day such as 07:30')
const hoursOfDay = z.strictObject({ from: timeOfDay, to: timeOfDay }).optional()
const OpeningHours = z
  .strictObject({
    mon: hoursOfDay,
    tue: hoursOfDay,
    wed: hoursOfDay,
    thu: hoursOfDay,
    fri: hoursOfDay,
    sat: hoursOfDay,
    sun: hoursOfDay,
  } satisfies Record<Weekday, unknown>)
  .refine(
    (hours) => Object.values(hours).every((day) => day === undefined || day.from < day.to),
    'must end after they begin, on each weekday',
  )
  .meta({
    description: 'Local hours by weekday; a weekday that is not named is closed',
    examples: [{ mon: { from: '07:00', to: '20:00' }, fri: { from: '07:00', to: '16:00' } }],
  })
export type OpeningHours = z.infer<typeof OpeningHours>

/** The opening hours of a space that neither states nor inherits any. */
export const defaultOpeningHours: OpeningHours = Object.fromEntries(
  weekdays.slice(0, 5).map((day) => [day, { from: '07:00', to: '20:00' }]),
)

const AnnualCost = z.strictObject({
  amount: z.number().int().min(0).max(1e15).meta({ description: 'In minor units, such as cents' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217, such as EUR')
    .optional()
    .meta({ description: 'Default: that of the space above' }),
})
const timezone = z.string().max(64).refine(isTimeZone, 'must be an IANA time zone, for example Europe/Berlin')
const country = z.string().regex(/^[A-Z]{2}$/, 'must be a country of ISO 3166, such as DE')
const subdivision = z
  .string()
  .regex(/^[A-Z0-9]{1,3}$/, 'must be a subdivision of ISO 3166 without the country, such as BY')

const inherited = {
  timezone: timezone.nullable(),
  country: country.nullable(),
  subdivision: subdivision.nullable(),
  opening_hours: OpeningHours.nullable(),
}

export const Space = z
  .object({
    id: id('spc'),
    external_id: z.string().nullable(),
    name: z.string(),
    kind: z.enum(spaceKinds),
    parent_id: id('spc').nullable(),
    capacity: z.number().int().nullable().meta({ description: 'People who can be there at a moment' }),
    area_m2: z.number().nullable(),
    annual_cost: AnnualCost.nullable(),
    avoidable_share: z
      .number()
      .nullable()
      .meta({ description: 'The share of the cost that ends when the space is closed, such as cleaning and energy' }),
    ...inherited,
    effective: z
      .object({ ...inherited, timezone, opening_hours: OpeningHours, currency: z.string().nullable() })
      .meta({ description: 'The own values, or those of the nearest space above that states them, or the defaults' }),
    path: z
      .array(z.object({ id: id('spc'), name: z.string(), kind: z.enum(spaceKinds) }))
      .meta({ description: 'The spaces around it, the outermost first' }),
    metadata: z.record(z.string(), z.string()),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Space' })

const writable = {
  external_id: text(200).nullable(),
  name: resourceName(200),
  kind: z.enum(spaceKinds),
  parent_id: id('spc').nullable(),
  capacity: z.number().int().min(0).max(1_000_000).nullable(),
  area_m2: z.number().min(0).max(1e9).nullable(),
  annual_cost: AnnualCost.nullable(),
  avoidable_share: z.number().min(0).max(1).nullable(),
  ...inherited,
}

export const NewSpace = z
  .strictObject({
    ...writable,
    external_id: writable.external_id.default(null),
    parent_id: writable.parent_id.default(null),
    capacity: writable.capacity.default(null),
    area_m2: writable.area_m2.default(null),
    annual_cost: writable.annual_cost.default(null),
    avoidable_share: writable.avoidable_share.default(null),
    timezone: inherited.timezone.default(null),
    country: inherited.country.default(null),
    subdivision: inherited.subdivision.default(null),
    opening_hours: inherited.opening_hours.default(null),
    metadata: metadata().default({}),
  })
  .meta({ id: 'NewSpace' })

export const SpacePatch = z.strictObject({ ...z.strictObject(writable).partial().shape, metadata: metadataPatch() })

export const spacePath = z.object({ id: id('spc') })

/** A list of identifiers of spaces. */
export const spaceIds = (max: number) => boundedArray(id('spc'), max)
