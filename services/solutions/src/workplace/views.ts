import type { OpeningHours, solutions } from '@wp/contracts'
import type { z } from 'zod'
import type { Space, SpaceNode } from '../store/spaces.ts'
import type { Team } from '../store/teams.ts'
import type { EffectiveValues } from './inherit.ts'

type SpaceView = z.input<typeof solutions.getSpace.ok>

export const spaceView = (row: Space, effective: EffectiveValues, around: readonly SpaceNode[]): SpaceView => ({
  id: row.id,
  external_id: row.externalId,
  name: row.name,
  kind: row.kind as SpaceView['kind'], // written by this service from these words alone
  parent_id: row.parentId,
  capacity: row.capacity,
  area_m2: row.areaM2,
  annual_cost:
    row.annualCost === null
      ? null
      : { amount: Number(row.annualCost), ...(row.currency === null ? {} : { currency: row.currency }) },
  avoidable_share: row.avoidableShare,
  timezone: row.timezone,
  country: row.country,
  subdivision: row.subdivision,
  opening_hours: row.openingHours as OpeningHours | null, // written from the contract's shape
  effective: {
    timezone: effective.timezone,
    country: effective.country,
    subdivision: effective.subdivision,
    currency: effective.currency,
    opening_hours: effective.openingHours,
  },
  path: around.map(({ id, name, kind }) => ({ id, name, kind: kind as SpaceView['kind'] })), // as above
  metadata: row.metadata as Record<string, string>, // written from the contract's shape
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const teamView = (row: Team): z.input<typeof solutions.getTeam.ok> => ({
  id: row.id,
  external_id: row.externalId,
  name: row.name,
  parent_id: row.parentId,
  headcount: row.headcount,
  home_space_id: row.homeSpaceId,
  near: row.near,
  fixed_space_ids: row.fixedSpaceIds,
  excluded_space_ids: row.excludedSpaceIds,
  max_floors: row.maxFloors,
  contingency: row.contingency,
  metadata: row.metadata as Record<string, string>, // written from the contract's shape
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
