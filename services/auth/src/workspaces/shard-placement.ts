import { createHash } from 'node:crypto'
import { allShards } from '@wp/service'
import { z } from 'zod'
import type { Placement } from '../store/workspaces/workspaces.ts'

/** A list of placements, `one:EU,two:US`. */
export const placementList = z.string().transform((value, context): Placement[] =>
  value.split(',').map((text) => {
    const [, shard, location] = /^([a-z0-9]{1,16}):([A-Z]{2,8})$/.exec(text.trim()) ?? []
    if (shard !== undefined && location !== undefined) return { shard, location }
    context.addIssue({ code: 'custom', message: 'must be shard:LOCATION,…' })
    return z.NEVER
  }),
)

type Shards = Parameters<typeof allShards>[0] & { OPEN_SHARDS?: Placement[] | undefined }

/** Rejects open shards without a broker: events of workspaces there could not be published. For `superRefine`. */
export function requireKnownShards(config: Shards, context: z.core.$RefinementCtx): void {
  const unknown = config.OPEN_SHARDS?.find(({ shard }) => !allShards(config).includes(shard))
  if (unknown === undefined) return
  const message = `${unknown.shard} is neither SHARD nor one of CELLS`
  context.addIssue({ code: 'custom', path: ['OPEN_SHARDS'], message })
}

/** Chooses the cell of new workspaces. */
export interface ShardPlacement {
  /** Returns the placement of a new workspace: deterministic by its id, evenly distributed over the open placements. */
  placementFor(workspaceId: string): Placement
  isOpen(placement: Placement): boolean
}

/** Creates a shard placement. @param openPlacements default only `own` */
export function createShardPlacement(openPlacements: readonly Placement[] | undefined, own: Placement): ShardPlacement {
  const placements = openPlacements ?? [own]
  return {
    placementFor(workspaceId) {
      const hashNumber = createHash('sha256').update(workspaceId).digest().readUInt32BE(0)
      return placements[hashNumber % placements.length] ?? own
    },
    isOpen: ({ shard, location }) => placements.some((open) => open.shard === shard && open.location === location),
  }
}
