import { createHash } from 'node:crypto'
import { shardsOf } from '@wp/service'
import { z } from 'zod'

/** Where a workspace can live: a cell, and the region that it stands in. */
export interface Place {
  shard: string
  location: string
}

/** A list of places, `one:EU,two:US`. */
export const homes = z.string().transform((value, context): Place[] =>
  value.split(',').map((place) => {
    const [, shard, location] = /^([a-z0-9]{1,16}):([A-Z]{2,8})$/.exec(place.trim()) ?? []
    if (shard !== undefined && location !== undefined) return { shard, location }
    context.addIssue({ code: 'custom', message: 'must be shard:LOCATION,…' })
    return z.NEVER
  }),
)

type Shards = Parameters<typeof shardsOf>[0] & { OPEN_SHARDS?: Place[] | undefined }

/** A workspace of a cell that auth cannot reach would be one whose events nobody hears; for `superRefine`. */
export function onlyKnownShards(config: Shards, context: z.core.$RefinementCtx): void {
  const unknown = config.OPEN_SHARDS?.find(({ shard }) => !shardsOf(config).includes(shard))
  if (unknown === undefined) return
  const message = `${unknown.shard} is neither SHARD nor one of CELLS`
  context.addIssue({ code: 'custom', path: ['OPEN_SHARDS'], message })
}

/** Where workspaces are put. */
export interface Homes {
  /** Where a new workspace goes: evenly over the places that are open, and always the same one for it. */
  of(workspaceId: string): Place
  isOpen(place: Place): boolean
}

/** @param open the places; where none are named, `own` is the only one */
export function createHomes(open: readonly Place[] | undefined, own: Place): Homes {
  const places = open ?? [own]
  return {
    of(workspaceId) {
      const number = createHash('sha256').update(workspaceId).digest().readUInt32BE(0)
      return places[number % places.length] ?? own
    },
    isOpen: ({ shard, location }) => places.some((place) => place.shard === shard && place.location === location),
  }
}
