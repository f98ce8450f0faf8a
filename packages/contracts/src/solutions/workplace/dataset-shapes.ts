import { z } from 'zod'
import { boundedRecord } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { timeZone } from '../../core/shape/locale.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { jobFields, metadata, metadataPatch, text, timestamp } from '../../core/shape/shape.ts'
import { spaceKinds } from './space-shapes.ts'

/**
 * The roles of each kind of dataset; `true` if the mapping must name a column for it. `mappingIssues` checks those that
 * stand for each other.
 */
export const datasetRoles = {
  spaces: {
    external_id: false,
    name: false,
    kind: false,
    parent_id: false,
    site: false,
    building: false,
    floor: false,
    zone: false,
    room: false,
    capacity: false,
    area_m2: false,
    annual_cost: false,
    currency: false,
    avoidable_share: false,
    country: false,
    subdivision: false,
    timezone: false,
    opening_hours: false,
    active: false,
  },
  people: { person: true, team: true, from: false, until: false, active: false },
  badge_events: { person: true, time: true, space: true, building: false, date: false, team: false, direction: false },
  attendance_days: { person: true, date: true, space: true, building: false, status: false, team: false },
  bookings: {
    space: true,
    building: false,
    start: true,
    end: false,
    duration: false,
    date: false,
    end_date: false,
    person: false,
    attendees: false,
    checked_in: false,
    no_show: false,
    cancelled: false,
  },
  counts: { space: true, building: false, time: true, date: false, value: false, in: false, out: false },
} as const satisfies Record<string, Record<string, boolean>>

export const datasetKinds = Object.keys(datasetRoles) as (keyof typeof datasetRoles)[] // the keys of a constant object
export type DatasetKind = keyof typeof datasetRoles

/** Values of a file that one map may name. */
const maxMapEntries = 20_000
const column = text(200)
const value = text(500)

const Mapping = boundedRecord(text(40), column, 20).meta({
  description:
    'The column of each role. `spaces`: `external_id`, `name`, `kind`, and `parent_id` (the `external_id` of the space above), ' +
    'or one or more of `site`, `building`, `floor`, `zone`, `room`: the names of the spaces around each row and, as the innermost, its own; and ' +
    '`capacity`, `area_m2`, `annual_cost`, `currency`, `avoidable_share`, `country`, `subdivision`, `timezone`, `opening_hours` (such as `Mo-Fr 08:00-18:00`), `active`. ' +
    '`people`: `person`, `team`, and `from`, `until`, `active` (those with no or such as `Terminated` are left out). `badge_events`: `person`, `time`, `space`, and `team`, `direction`. `attendance_days`: `person`, `date`, `space`, ' +
    'and `status` (such as `Office`, `Home`; only days at the office count), `team`. `bookings`: `space`, `start`, `end` or `duration` (minutes, or with a unit as `1:30` or `2 h`), ' +
    'and `person`, `attendees`, `checked_in`, `no_show`, `cancelled` (a column of states may be all three; a blank `checked_in` is a no-show only between the first and the last day with check-ins). `counts`: `space`, `time`, and `value`, or `in` and `out`. ' +
    '`building` of these: the building of each `space`, where floors of several have the same names; the value is then `Building / Floor`. ' +
    '`date` of badge events, bookings and counts: the day, where `time`, `start` and `end` are times of day; an end before its start is on the next day, unless `end_date` of bookings names its day',
  examples: [{ person: 'Badge number', time: 'Time', space: 'Reader', direction: 'Event' }],
})

const maps = {
  space_map: boundedRecord(value, id('spc').nullable(), maxMapEntries).describe(
    'The space of each value in the file; null: rows with the value are left out on purpose. Values that are not named are ' +
      'matched with the `external_id` or the name of exactly one space; those without a match are listed with their rows',
  ),
  team_map: boundedRecord(value, id('team').nullable(), maxMapEntries).describe(
    'The team of each value in the file, as in `space_map`',
  ),
}

const timezone = timeZone()
  .nullable()
  .describe(
    'Of times with an offset at a value without a space; null: that of the first site, or UTC. Of a list of spaces: of those ' +
      'at the top that it creates without one, and without a country of a single zone; null: UTC',
  )

const rowsByReason = z.object({
  reason: z.string().describe('Stable code of the reason'),
  rows: z.int().describe('Number of rows'),
  example: z.string().nullable().describe('A value of such a row; null if it could tell about a person'),
})

export const NewDataset = z
  .strictObject({
    name: resourceName(200).describe('Name for people'),
    kind: z.enum(datasetKinds).describe('What the rows of the data source are about'),
    data_source_id: id('src'),
    mapping: Mapping,
    space_map: maps.space_map.default({}),
    team_map: maps.team_map.default({}),
    timezone: timezone.default(null),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null).describe('Your own identifier of the dataset; null for none'),
  })
  .superRefine(({ kind, mapping }, context) => {
    for (const issue of mappingIssues(kind, mapping))
      context.addIssue({ code: 'custom', path: ['mapping', ...issue.path], message: issue.message })
  })
  .meta({ id: 'NewDataset' })

/** Checks the roles of a mapping. @returns an issue for each role that is missing or does not exist */
export function mappingIssues(kind: DatasetKind, mapping: Record<string, string>) {
  const roles: Record<string, boolean> = datasetRoles[kind]
  const unknown = Object.keys(mapping)
    .filter((role) => !Object.hasOwn(roles, role))
    .map((role) => ({ path: [role], message: `is not a role of ${kind}; those are ${Object.keys(roles).join(', ')}` }))
  const missing = Object.entries(roles)
    .filter(([role, isRequired]) => isRequired && !Object.hasOwn(mapping, role))
    .map(([role]) => ({ path: [role], message: 'is required: the name of a column' }))
  const lacksPlace = kind === 'spaces' ? spaceIssues(mapping) : []
  const needsValue = kind === 'counts' && !['value', 'in'].some((role) => Object.hasOwn(mapping, role))
  const half = kind === 'counts' && Object.hasOwn(mapping, 'in') !== Object.hasOwn(mapping, 'out')
  const lacksEnd = kind === 'bookings' && !['end', 'duration'].some((role) => Object.hasOwn(mapping, role))
  return [
    ...unknown,
    ...missing,
    ...lacksPlace,
    ...(lacksEnd ? [{ path: ['end'], message: 'is required, or `duration`: the name of a column' }] : []),
    ...(needsValue ? [{ path: ['value'], message: 'is required, or `in` and `out`' }] : []),
    ...(half ? [{ path: ['in'], message: 'is required with `out`, and `out` with `in`' }] : []),
  ]
}

/** A list of spaces has a row a space that states its kind and what it lies in, or a column for each level. */
function spaceIssues(mapping: Record<string, string>) {
  const hasLevels = spaceKinds.some((kind) => Object.hasOwn(mapping, kind))
  if (hasLevels)
    return ['kind', 'parent_id']
      .filter((role) => Object.hasOwn(mapping, role))
      .map((role) => ({ path: [role], message: 'is told by the columns of `site` to `room`; leave it out' }))
  return ['external_id', 'name', 'kind']
    .filter((role) => !Object.hasOwn(mapping, role))
    .map((role) => ({ path: [role], message: 'is required, or a column for a level, such as `building` and `floor`' }))
}

export const DatasetPatch = z.strictObject({
  name: resourceName(200).optional().describe('Another name for people'),
  mapping: Mapping.optional().describe('Replaces the mapping; the rows are read again'),
  space_map: maps.space_map.optional().describe('Merged into the map, value by value'),
  team_map: maps.team_map.optional().describe('Merged into the map, value by value'),
  timezone: timezone.optional(),
  metadata: metadataPatch(),
  external_id: text(200).nullable().optional(),
})

export const Dataset = z
  .object({
    id: id('ds'),
    name: z.string().describe('Name for people'),
    kind: z.enum(datasetKinds).describe('What the rows of the data source are about'),
    data_source_id: id('src'),
    mapping: z.record(z.string(), z.string()).describe('The column of each role'),
    space_map: z
      .record(z.string(), id('spc').nullable())
      .describe('The space of values in the file, as you set it; null for values that are left out'),
    team_map: z
      .record(z.string(), id('team').nullable())
      .describe('The team of values in the file, as you set it; null for values that are left out'),
    timezone: timezone,
    rows: z
      .object({
        read: z.int().describe('Rows that the data source has'),
        used: z.int().describe('Rows that figures are made of'),
        unused: z.array(rowsByReason).describe('Rows that no figure is made of, by reason'),
        incomplete: z
          .array(rowsByReason)
          .optional()
          .describe(
            'Rows that are used in part, by reason: spaces without their opening hours or beside one that the list lacks, bookings that end when they begin; absent if none are',
          ),
      })
      .describe(
        'Rows by what became of them. `reason` is a code such as `time_unreadable` or `space_unmapped`; `example` never quotes a person',
      ),
    gaps: z
      .array(
        z.object({
          value: z.string().describe('Name of the reader or counter in the file'),
          space_id: id('spc').nullable().describe('The space of the reader; null if none is matched'),
          since: z.iso.date().describe('First silent local day'),
          until: z.iso.date().describe('The local day after the last silent one'),
          expected_rows: z.int().describe('Rows that it usually has on such days'),
        }),
      )
      .describe(
        'Readers and counters that were silent while the others were not, from the day `since` to the day before `until`, with the rows that they usually have on such days',
      ),
    since: z.iso.date().nullable().describe('First local day with rows'),
    until: z.iso.date().nullable().describe('The day after the last one'),
    last_refresh_id: id('dsr').nullable().describe('The last refresh; null before the first'),
    refreshed_at: timestamp()
      .nullable()
      .describe('When the last refresh finished; null until one has read all rows, also when they are read again'),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Dataset' })

export const DatasetRefresh = z
  .object({
    id: id('dsr'),
    dataset_id: id('ds'),
    ...jobFields,
    counts: z
      .object({ changes: z.int().describe('Changed rows of the data source that were applied') })
      .describe('Changed rows that were applied'),
  })
  .meta({ id: 'DatasetRefresh' })

/** A value of a column, and the space or team that it stands for. */
export const DatasetValue = z
  .object({
    role: z.enum(['space', 'team']).describe('If the value names a space or a team'),
    value: z.string().describe('The value as it is in the file'),
    rows: z.int().describe('Rows with the value'),
    mapped_to: z.string().nullable().describe('A space or team'),
    matched_by: z
      .enum(['map', 'external_id', 'name', 'none', 'left_out'])
      .describe(
        'By the map of the dataset, by `external_id` or by name; `none` without one, `left_out` by the map or as a word for home',
      ),
    suggestions: z
      .array(
        z.object({
          id: z.string().describe('Identifier of the space or team'),
          name: z.string().describe('Its name'),
          similarity: z.number().describe('Likeness of the names, from 0 to 1'),
        }),
      )
      .describe('The nearest names, best first, of a value without a match'),
  })
  .meta({ id: 'DatasetValue' })

export const datasetPath = z.object({ id: id('ds') })
