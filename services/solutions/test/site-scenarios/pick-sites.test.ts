import { describe, expect, it } from '@jest/globals'
import { pickSites } from '../../src/site-scenarios/start-scenarios.ts'
import type { CostedSpace } from '../../src/store/spaces.ts'
import type { TeamNode } from '../../src/store/teams.ts'
import { buildTree } from '../../src/workplace/tree.ts'
import { spaceNode } from '../fixture/space-node.ts'

const space = (id: string, parentId: string | null, stated: Partial<CostedSpace> = {}): CostedSpace =>
  spaceNode(id, parentId === null ? 'site' : 'floor', parentId, { name: id.toUpperCase(), ...stated })
const team = (id: string, homeSpaceId: string | null): TeamNode => ({
  id,
  homeSpaceId,
  parentId: null,
  externalId: null,
  name: id,
  headcount: 20,
})
const floors = (site: string, annualCost: number, more: Partial<CostedSpace> = {}): CostedSpace[] => [
  space(site, null),
  space(`${site}1`, site, { capacity: 40, annualCost, avoidableShare: 0.5, ...more }),
  space(`${site}2`, site, { capacity: 40 }),
]
const pick = (spaces: CostedSpace[], teams: TeamNode[], forecast: ReadonlySet<string> | null = null) =>
  pickSites(buildTree(spaces), buildTree(teams), forecast)

describe('the sites of which floors may close', () => {
  it('are those with the most costs that end, five at most', () => {
    const sites = ['a', 'b', 'c', 'd', 'e', 'f']
    const spaces = sites.flatMap((site, at) => floors(site, 100 * (at + 1)))
    const picked = pick(
      spaces,
      sites.map((site) => team(`t${site}`, `${site}1`)),
    )
    expect(picked.map(({ id }) => id)).toEqual(['f', 'e', 'd', 'c', 'b'])
    expect(picked[0]).toEqual({ id: 'f', name: 'F' })
  })

  it('have places on two floors, costs that end, and a team at home', () => {
    const home = [team('t', 'a')]
    expect(pick(floors('a', 100), home)).toHaveLength(1)
    expect(pick(floors('a', 100), [team('t', null)])).toEqual([])
    expect(pick(floors('a', 0), home)).toEqual([])
    expect(pick(floors('a', 100, { avoidableShare: null }), home)).toEqual([])
    expect(pick(floors('a', 100, { capacity: null }), home)).toEqual([])
  })

  it('have the places of the rooms in their floors', () => {
    const room = space('r', 'a1', { kind: 'room', capacity: 40 })
    expect(pick([...floors('a', 100, { capacity: null }), room], [team('t', 'r')])).toHaveLength(1)
  })

  it('are those without a team at home after a forecast of floors, which has one of their floors', () => {
    const spaces = [...floors('a', 100), ...floors('b', 100), ...floors('c', 100)]
    const teams = [team('t', 'a')]
    expect(pick(spaces, teams, new Set(['a', 'a1', 'b', 'b2', 'c'])).map(({ id }) => id)).toEqual(['b'])
  })
})
