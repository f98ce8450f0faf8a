import { describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { z } from 'zod'
import { createShardPlacement, placementList, requireKnownShards } from '../../src/workspaces/shard-placement.ts'

const own = { shard: 'one', location: 'EU' }
const two = { shard: 'two', location: 'US' }

describe('the placement of a new workspace', () => {
  it('is that of auth when no placements are configured', () => {
    const { placementFor: of, isOpen } = createShardPlacement(undefined, own)
    expect(of(newId('ws'))).toEqual(own)
    expect([isOpen(own), isOpen(two)]).toEqual([true, false])
  })

  it('is evenly distributed and deterministic', () => {
    const { placementFor: of } = createShardPlacement([own, two], own)
    const ids = Array.from({ length: 2_000 }, () => newId('ws'))
    const inTwo = ids.filter((id) => of(id).shard === 'two').length
    // Within five standard deviations.
    expect(Math.abs(inTwo - 1_000)).toBeLessThan(112)
    expect(ids.map(of)).toEqual(ids.map(of))
  })

  it('is never a closed one', () => {
    const { placementFor: of, isOpen } = createShardPlacement([two], own)
    expect(Array.from({ length: 20 }, () => of(newId('ws')))).toEqual(Array.from({ length: 20 }, () => two))
    expect(isOpen(own)).toBe(false)
  })
})

describe('the list of open placements', () => {
  const schema = z
    .object({
      SHARD: z.string(),
      CELLS: z.array(z.object({ shard: z.string(), servers: z.string() })),
      OPEN: placementList,
    })
    .superRefine(({ SHARD, CELLS, OPEN }, context) => requireKnownShards({ SHARD, CELLS, OPEN_SHARDS: OPEN }, context))
  const read = (OPEN: string) =>
    schema.parse({ SHARD: 'one', CELLS: [{ shard: 'two', servers: 'nats://two' }], OPEN }).OPEN

  it('is parsed', () => {
    expect(read('one:EU, two:US')).toEqual([own, two])
  })

  it.each(['one', 'one:eu', 'One:EU', 'one:EU:x', 'one:EU,', ''])('rejects %j', (text) => {
    expect(() => read(text)).toThrow('must be shard:LOCATION')
  })

  it('rejects unknown shards', () => {
    expect(() => read('three:EU')).toThrow('three is neither SHARD nor one of CELLS')
  })
})
