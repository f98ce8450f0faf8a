import { createHash } from 'node:crypto'
import { allShards } from '@wp/service'
import { z } from 'zod'

/** Where a workspace can live: a cell, and the region that it stands in. */
export interface Placement {
  shard: string
  location: string
}

/** A list of places, `one:EU,two:US`. */
export const placementList = z.string().transform((value, context): Placement[] =>
  value.split(',').map((place) => {
    const [, shard, location] = /^([a-z0-9]{1,16}):([A-Z]{2,8})$/.exec(place.trim()) ?? []
    if (shard !== undefined && location !== undefined) return { shard, location }
    context.addIssue({ code: 'custom', message: 'must be shard:LOCATION,…' })
    return z.NEVER
  }),
)

type Shards = Parameters<typeof allShards>[0] & { OPEN_SHARDS?: Placement[] | undefined }

/** A workspace of a cell that auth cannot reach would be one whose events nobody hears; for `superRefine`. */
export function requireKnownShards(config: Shards, context: z.core.$RefinementCtx): void {
  const unknown = config.OPEN_SHARDS?.find(({ shard }) => !allShards(config).includes(shard))
  if (unknown === undefined) return
  const message = `${unknown.shard} is neither SHARD nor one of CELLS`
  context.addIssue({ code: 'custom', path: ['OPEN_SHARDS'], message })
}

/** Where workspaces are put. */
export interface ShardPlacement {
  /** Where a new workspace goes: evenly over the places that are open, and always the same one for it. */
  placementFor(workspaceId: string): Placement
  isOpen(place: Placement): boolean
}

/** @param open the places; where none are named, `own` is the only one */
export function createShardPlacement(open: readonly Placement[] | undefined, own: Placement): ShardPlacement {
  const placements = open ?? [own]
  return {
    placementFor(workspaceId) {
      const hashNumber = createHash('sha256').update(workspaceId).digest().readUInt32BE(0)
      return placements[hashNumber % placements.length] ?? own
    },
    isOpen: ({ shard, location }) => placements.some((place) => place.shard === shard && place.location === location),
  }
}
