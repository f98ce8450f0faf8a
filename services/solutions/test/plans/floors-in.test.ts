import { expect, it } from '@jest/globals'
import { floorsIn } from '../../src/plans/input/floors-in.ts'
import { buildTree } from '../../src/workplace/tree.ts'
import { spaceNode } from '../fixture/space-node.ts'

const nodeOf = (id: string, kind: string, parentId: string | null, name = id) => spaceNode(id, kind, parentId, { name })

it('floors are those in a space, named from it inwards, in the order of their numbers', () => {
  const tree = buildTree([
    nodeOf('site', 'site', null, 'Berlin'),
    nodeOf('north', 'building', 'site', 'North'),
    nodeOf('ten', 'floor', 'north', 'Floor 10'),
    nodeOf('two', 'floor', 'north', 'Floor 2'),
    nodeOf('zone', 'zone', 'two', 'West'),
    nodeOf('yard', 'floor', 'site', 'Yard'),
    nodeOf('other', 'floor', null, 'Elsewhere'),
  ])
  const namesIn = (id: string) => floorsIn(tree, id).map(({ name }) => name)
  expect(namesIn('site')).toEqual(['North / Floor 2', 'North / Floor 10', 'Yard'])
  expect(namesIn('north')).toEqual(['Floor 2', 'Floor 10'])
  expect(namesIn('two')).toEqual([])
})
