import { z } from 'zod'
import { boundedArray } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { metadata, metadataPatch, text, timestamp } from '../../core/shape/shape.ts'
import { spaceIds } from './space-shapes.ts'

/** References of one list of a team. */
const maxReferences = 100

const writable = {
  external_id: text(200).nullable().describe('Your own identifier of the team, unique in the workspace; null for none'),
  name: resourceName(200).describe('Name for people'),
  parent_id: id('team').nullable().describe('The team that it is a part of; null: none'),
  headcount: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .describe('Members; a dataset of people counts them by day and takes precedence'),
  home_space_id: id('spc').nullable().describe('The space that the team usually sits in'),
  near: boundedArray(id('team'), maxReferences).describe('Teams that should sit close by'),
  fixed_space_ids: spaceIds(maxReferences).describe('The only spaces that the team may sit in; none: any'),
  excluded_space_ids: spaceIds(maxReferences).describe('Spaces that the team must not sit in'),
  max_floors: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .describe('Most floors on which the team may sit on a day; null: that of the team above, or any number'),
  contingency: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Places kept free, as a share of those that the team needs'),
}

export const Team = z
  .object({
    id: id('team'),
    ...writable,
    external_id: z.string().nullable().describe('Your own identifier of the team; null if it has none'),
    name: z.string().describe('Name for people'),
    usual_space_id: id('spc')
      .nullable()
      .describe(
        'The site, building or floor in which most of its people were counted, in most of the last 8 weeks with figures; null if none is clear, or too few people were counted',
      ),
    metadata: z.record(z.string(), z.string()),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Team' })

export const NewTeam = z
  .strictObject({
    ...writable,
    external_id: writable.external_id.default(null),
    parent_id: writable.parent_id.default(null),
    headcount: writable.headcount.default(null),
    home_space_id: writable.home_space_id.default(null),
    near: writable.near.default([]),
    fixed_space_ids: writable.fixed_space_ids.default([]),
    excluded_space_ids: writable.excluded_space_ids.default([]),
    max_floors: writable.max_floors.default(null),
    contingency: writable.contingency.default(null),
    metadata: metadata().default({}),
  })
  .meta({ id: 'NewTeam' })

export const TeamPatch = z.strictObject({ ...z.strictObject(writable).partial().shape, metadata: metadataPatch() })

export const teamPath = z.object({ id: id('team') })
