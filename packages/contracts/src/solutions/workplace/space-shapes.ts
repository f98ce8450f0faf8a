import { z } from 'zod'
import { boundedArray } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { timeZone } from '../../core/shape/locale.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { metadata, metadataPatch, text, timestamp } from '../../core/shape/shape.ts'

/** The kinds of spaces, from the outermost to the innermost. */
export const spaceKinds = ['site', 'building', 'floor', 'zone', 'room'] as const
export type SpaceKind = (typeof spaceKinds)[number]

/** Matches names of places for cars, in which no one works. */
export const namesPlacesForCars =
  /garage|parking|parkplatz|parkplätze|parkhaus|parkdeck|parkfläche|stellpl|aparcamiento|parcheggio|car ?park/i

/** Levels of the tree of spaces, and of the tree of teams. */
export const maxTreeLevels = 8

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time of day such as 07:30')
const hoursOfDay = z
  .strictObject({
    from: timeOfDay.describe('Local time at which the space opens'),
    to: timeOfDay.describe('Local time at which it closes, up to 24:00'),
  })
  .optional()
const OpeningHours = z
  .strictObject({
    mon: hoursOfDay.describe('Hours on Mondays; absent: closed'),
    tue: hoursOfDay.describe('Hours on Tuesdays; absent: closed'),
    wed: hoursOfDay.describe('Hours on Wednesdays; absent: closed'),
    thu: hoursOfDay.describe('Hours on Thursdays; absent: closed'),
    fri: hoursOfDay.describe('Hours on Fridays; absent: closed'),
    sat: hoursOfDay.describe('Hours on Saturdays; absent: closed'),
    sun: hoursOfDay.describe('Hours on Sundays; absent: closed'),
  } satisfies Record<Weekday, unknown>)
  .refine(
    (hours) => Object.values(hours).every((day) => day === undefined || day.from < day.to),
    'must end after they begin, on each weekday: of hours over midnight, such as 22:00 to 06:00, state 00:00 to 24:00',
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
  amount: z.int().min(0).max(1e15).describe('In minor units, such as cents'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217, such as EUR')
    .optional()
    .describe('Default: that of the space above'),
})
const timezone = timeZone()
const country = z.string().regex(/^[A-Z]{2}$/, 'must be a country of ISO 3166, such as DE')
const subdivision = z
  .string()
  .regex(/^[A-Z0-9]{1,3}$/, 'must be a subdivision of ISO 3166 without the country, such as BY')

const inherited = {
  timezone: timezone.nullable().describe('IANA time zone; null: that of the space above'),
  country: country.nullable().describe('Country by ISO 3166, for its public holidays; null: that of the space above'),
  subdivision: subdivision
    .nullable()
    .describe('Subdivision by ISO 3166 without the country, for its public holidays; null: that of the space above'),
  opening_hours: OpeningHours.nullable().describe('Hours by weekday; null: those of the space above'),
}

export const Space = z
  .object({
    id: id('spc'),
    external_id: z.string().nullable(),
    name: z.string().describe('Name for people'),
    kind: z.enum(spaceKinds).describe('What the space is; spaces form a tree from sites down to rooms'),
    parent_id: id('spc').nullable().describe('The space that it is a part of; null for one without a space above'),
    capacity: z.int().nullable().describe('People who can be there at a moment'),
    area_m2: z.number().nullable().describe('Floor area in square metres; null if it is not known'),
    annual_cost: AnnualCost.nullable().describe('Cost of a year; null if it is not known'),
    avoidable_share: z
      .number()
      .nullable()
      .describe('The share of the cost that ends when the space is closed, such as cleaning and energy'),
    ...inherited,
    effective: z
      .object({
        ...inherited,
        timezone: timezone.describe('IANA time zone of its local times'),
        opening_hours: OpeningHours.describe('Hours by weekday'),
        currency: z.string().nullable().describe('Currency of its costs by ISO 4217; null if none is stated'),
        capacity: z
          .int()
          .nullable()
          .describe('Its places, or the sum of those of the spaces in it; null if none are stated'),
      })
      .describe(
        'The own values, or those of the nearest space above that states them, or the defaults. The capacity is that of what is in it',
      ),
    path: z
      .array(
        z.object({
          id: id('spc'),
          name: z.string().describe('Its name'),
          kind: z.enum(spaceKinds).describe('What it is'),
        }),
      )
      .describe('The spaces around it, the outermost first'),
    metadata: z.record(z.string(), z.string()),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Space' })

const writable = {
  external_id: text(200)
    .nullable()
    .describe('Your own identifier of the space, unique in the workspace; null for none'),
  name: resourceName(200).describe('Name for people'),
  kind: z.enum(spaceKinds).describe('What the space is; it must fit into the space above'),
  parent_id: id('spc').nullable().describe('The space that it is a part of; null: none'),
  capacity: z.int().min(0).max(1_000_000).nullable().describe('People who can be there at a moment; null: not known'),
  area_m2: z.number().min(0).max(1e9).nullable().describe('Floor area in square metres; null: not known'),
  annual_cost: AnnualCost.nullable().describe('Cost of a year; null: not known'),
  avoidable_share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Share of the cost, from 0 to 1, that ends when the space is closed, such as cleaning and energy'),
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
