import { type OpeningHours, solutions } from '@wp/contracts'
import { viewOf } from '@wp/database'
import type { z } from 'zod'
import type { Space, SpaceNode } from '../store/spaces.ts'
import type { Team } from '../store/teams.ts'
import type { EffectiveValues } from './inherit.ts'

type SpaceView = z.input<typeof solutions.getSpace.ok>

export const spaceView = (
  row: Space,
  effective: EffectiveValues & { capacity: number | null },
  around: readonly SpaceNode[],
): SpaceView =>
  viewOf(solutions.getSpace.ok, row, {
    kind: row.kind as SpaceView['kind'], // written by this service from these words alone
    annual_cost:
      row.annualCost === null
        ? null
        : { amount: Number(row.annualCost), ...(row.currency === null ? {} : { currency: row.currency }) },
    opening_hours: row.openingHours as OpeningHours | null, // written from the contract's shape
    effective: {
      capacity: effective.capacity,
      timezone: effective.timezone,
      country: effective.country,
      subdivision: effective.subdivision,
      currency: effective.currency,
      opening_hours: effective.openingHours,
    },
    path: around.map(({ id, name, kind }) => ({ id, name, kind: kind as SpaceView['kind'] })), // as above
    metadata: row.metadata as Record<string, string>, // written from the contract's shape
  })

export const teamView = (
  row: Team,
  usualSpaces: ReadonlyMap<string, string> = new Map(),
): z.input<typeof solutions.getTeam.ok> =>
  viewOf(solutions.getTeam.ok, row, {
    usual_space_id: usualSpaces.get(row.id) ?? null,
    metadata: row.metadata as Record<string, string>, // written from the contract's shape
  })
