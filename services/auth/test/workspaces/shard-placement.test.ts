import { describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { z } from 'zod'
import { createShardPlacement, placementList, requireKnownShards } from '../../src/workspaces/shard-placement.ts'

const own = { shard: 'one', location: 'EU' }
const two = { shard: 'two', location: 'US' }

describe('a new workspace', () => {
  it('goes where auth is, unless places are named', () => {
    const { placementFor: of, isOpen } = createShardPlacement(undefined, own)
    expect(of(newId('ws'))).toEqual(own)
    expect([isOpen(own), isOpen(two)]).toEqual([true, false])
  })

  it('goes evenly over the open places, always to the same one', () => {
    const { placementFor: of } = createShardPlacement([own, two], own)
    const ids = Array.from({ length: 2_000 }, () => newId('ws'))
    const inTwo = ids.filter((id) => of(id).shard === 'two').length
    // five standard deviations
    expect(Math.abs(inTwo - 1_000)).toBeLessThan(112)
    expect(ids.map(of)).toEqual(ids.map(of))
  })

  it('goes to none that is closed', () => {
    const { placementFor: of, isOpen } = createShardPlacement([two], own)
    expect(Array.from({ length: 20 }, () => of(newId('ws')))).toEqual(Array.from({ length: 20 }, () => two))
    expect(isOpen(own)).toBe(false)
  })
})

describe('the open places', () => {
  const schema = z
    .object({
      SHARD: z.string(),
      CELLS: z.array(z.object({ shard: z.string(), servers: z.string() })),
      OPEN: placementList,
    })
    .superRefine(({ SHARD, CELLS, OPEN }, context) => requireKnownShards({ SHARD, CELLS, OPEN_SHARDS: OPEN }, context))
  const read = (OPEN: string) =>
    schema.parse({ SHARD: 'one', CELLS: [{ shard: 'two', servers: 'nats://two' }], OPEN }).OPEN

  it('are a list', () => {
    expect(read('one:EU, two:US')).toEqual([own, two])
  })

  it.each(['one', 'one:eu', 'One:EU', 'one:EU:x', 'one:EU,', ''])('cannot be written as %j', (text) => {
    expect(() => read(text)).toThrow('must be shard:LOCATION')
  })

  it('are of cells that are known', () => {
    expect(() => read('three:EU')).toThrow('three is neither SHARD nor one of CELLS')
  })
})
