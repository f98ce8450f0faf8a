import { describe, expect, it } from '@jest/globals'
import type { SpaceNode } from '../../src/store/spaces.ts'
import { capacitiesOf, dividedSpaces } from '../../src/workplace/capacities.ts'
import { buildTree } from '../../src/workplace/tree.ts'

/** Returns a tree of spaces by id, with the parent, kind and capacity of each. */
const treeOf = (spaces: Record<string, [parent: string | null, kind: string, capacity: number | null]>) =>
  buildTree(
    Object.entries(spaces).map(
      ([id, [parentId, kind, capacity]]): SpaceNode => ({
        id,
        parentId,
        kind,
        capacity,
        name: id,
        externalId: null,
        currency: null,
        timezone: null,
        country: null,
        subdivision: null,
        openingHours: null,
      }),
    ),
  )

const byId = <Value>(tree: ReturnType<typeof treeOf>, values: ArrayLike<Value>): Record<string, Value | undefined> =>
  Object.fromEntries(tree.nodes.map(({ id }, at) => [id, values[at]]))

describe('capacitiesOf', () => {
  it('takes the own capacity, or the sum of the spaces within', () => {
    const tree = treeOf({
      site: [null, 'site', null],
      a: ['site', 'floor', 50],
      b: ['site', 'floor', null],
      a1: ['a', 'room', 8],
      b1: ['b', 'zone', 20],
      b2: ['b', 'zone', null],
      c: ['site', 'floor', null],
    })
    expect(byId(tree, capacitiesOf(tree))).toEqual({ site: 70, a: 50, a1: 8, b: 20, b1: 20, b2: null, c: null })
  })
})

describe('dividedSpaces', () => {
  it('marks spaces whose parts hold all places, and without a capacity those without rooms', () => {
    const tree = treeOf({
      site: [null, 'site', null],
      floors: ['site', 'building', 100],
      f1: ['floors', 'floor', 60],
      f2: ['floors', 'floor', 40],
      rooms: ['site', 'building', null],
      r1: ['rooms', 'room', 8],
      few: ['site', 'floor', 100],
      r2: ['few', 'room', 8],
      wing: ['f1', 'room', 60],
      empty: ['f2', 'zone', null],
    })
    const divided = byId(tree, dividedSpaces(tree))
    expect(Object.keys(divided).filter((id) => divided[id] === 1)).toEqual(['site', 'floors', 'f1'])
  })
})
