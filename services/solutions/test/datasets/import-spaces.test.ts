import { describe, expect, it } from '@jest/globals'
import { fieldsOf } from '../../src/datasets/apply-page.ts'
import { countBesideMissing, treeProblem } from '../../src/datasets/import-spaces.ts'
import { readSpaces } from '../../src/datasets/read-spaces.ts'
import type { SpaceNode } from '../../src/store/spaces.ts'

const roles = [
  'external_id',
  'name',
  'kind',
  'parent_id',
  'capacity',
  'annual_cost',
  'avoidable_share',
  'timezone',
  'opening_hours',
] as const
const dataset = { kind: 'spaces' as const, mapping: Object.fromEntries(roles.map((role) => [role, role])) }

type Listed = Partial<Record<(typeof roles)[number], unknown>>

/** Reads rows of which the first two roles default to each other. */
const read = (rows: Listed[], known: [string, string][] = []) =>
  // In the order of the contract, in which cells arrive.
  readSpaces(
    dataset,
    rows.map((row) => order.map((role) => ({ name: row.external_id, kind: 'floor', ...row })[role] ?? null)),
    new Map(known),
  )
const order = fieldsOf(dataset) as (typeof roles)[number][] // the mapping names each column as its role

const idsOf = ({ spaces }: ReturnType<typeof readSpaces>) => spaces.map(({ externalId }) => externalId)

describe('readSpaces', () => {
  it('puts spaces after those in which they lie', () => {
    const read4 = read([
      { external_id: 'r', kind: 'Raum', parent_id: 'f' },
      { external_id: 'f', kind: 'ETAGE', parent_id: 'b' },
      { external_id: 'b', kind: 'Building', parent_id: 's' },
      { external_id: 's', kind: 'Standort' },
    ])
    expect(idsOf(read4)).toEqual(['s', 'b', 'f', 'r'])
    expect(read4.spaces.map(({ content }) => content.kind)).toEqual(['site', 'building', 'floor', 'room'])
    expect(read4.unusedRows).toEqual({})
  })

  it('says of a space in a refused row of the list that this row could not be used', () => {
    const result = read([
      { external_id: 'a', name: 'Hall', capacity: 'many' },
      { external_id: 'b', kind: 'room', parent_id: 'a' },
      { external_id: 'c', kind: 'room', parent_id: 'Hall' },
    ])
    expect(result).toEqual({
      spaces: [],
      unusedRows: {
        capacity_unreadable: { rows: 1, example: 'many' },
        parent_unused: { rows: 2, example: 'b' },
      },
    })
  })

  it('takes parents of the workspace, and refuses unknown ones with all in them', () => {
    const result = read(
      [
        { external_id: 'a', parent_id: 'known' },
        { external_id: 'b', parent_id: 'nowhere' },
        { external_id: 'c', kind: 'room', parent_id: 'b' },
        { external_id: 'd', kind: 'room', parent_id: 'c' },
      ],
      [['known', 'spc_1']],
    )
    expect(idsOf(result)).toEqual(['a'])
    expect(result.unusedRows).toEqual({
      parent_unknown: { rows: 1, example: 'nowhere' },
      parent_unused: { rows: 2, example: 'c' },
    })
  })

  it('finds parents by their names when these are no ids and only one space has them', () => {
    const result = read([
      { external_id: '1', kind: 'Building', name: 'North' },
      { external_id: '2', kind: 'Floor', name: 'Ground', parent_id: 'North' },
      { external_id: '3', kind: 'Room', name: 'A', parent_id: 'Ground' },
    ])
    expect(result.spaces.map(({ parentExternalId }) => parentExternalId)).toEqual([null, '1', '2'])
    const twice = read([
      { external_id: '1', kind: 'Floor', name: 'Ground' },
      { external_id: '2', kind: 'Floor', name: 'Ground' },
      { external_id: '3', kind: 'Room', name: 'A', parent_id: 'Ground' },
    ])
    expect(twice.unusedRows).toEqual({ parent_unknown: { rows: 1, example: 'Ground' } })
  })

  it('refuses what lies in a row that was refused, even if the workspace has a space of that id', () => {
    const result = read(
      [
        { external_id: 'b', kind: 'castle' },
        { external_id: 'c', parent_id: 'b' },
      ],
      [['b', 'spc_1']],
    )
    // The row of b cannot be read, so that the b of the workspace stays as it is, and is the parent.
    expect(idsOf(result)).toEqual(['c'])
    expect(result.unusedRows).toEqual({ kind_unknown: { rows: 1, example: 'castle' } })
  })

  it.each([
    ['shares', [0.5, 1, 0], [0.5, 1, 0], {}],
    ['per cent', [50, 1, 0], [0.5, 0.01, 0], {}],
    ['neither when both are in it', [40, 0.4], [0.4], { avoidable_share_unreadable: { rows: 1, example: '0.4' } }],
    ['neither above the whole', [140, 40], [0.4], { avoidable_share_unreadable: { rows: 1, example: '140' } }],
  ])('reads avoidable shares as %s', (_, shares, expected, unused) => {
    const { spaces, unusedRows } = read(shares.map((share, at) => ({ external_id: `${at}`, avoidable_share: share })))
    expect(spaces.map(({ content }) => content.avoidableShare)).toEqual(expected)
    expect(unusedRows).toEqual(unused)
  })

  it.each([
    ['Kosten p.a. (€)', [null, null], ['EUR', 100n]],
    ['Annual cost INR', [null, null], ['INR', 100n]],
    ['Kosten (TEUR)', [null, null], ['EUR', 100_000n]],
    ['Miete T€', [null, null], ['EUR', 100_000n]],
    ['Miete in k€', [null, null], ['EUR', 100_000n]],
    ['Jahresmiete (Tsd. €)', [null, null], ['EUR', 100_000n]],
    ['Kosten Mio. EUR', [null, null], ['EUR', 100_000_000n]],
    ['Annual cost ($000)', ['USD', null], ['USD', 100_000n]],
    ['Rent ($k)', ['USD', null], ['USD', 100_000n]],
    ['Rent (€/m²)', [null, null], ['EUR', 100n]],
    ['Kosten Mitte EUR', [null, null], ['EUR', 100n]],
    ['Cost ($)', [null, null], [undefined, 100n]],
    ['Cost', ['JPY', null], ['JPY', 1n]],
    ['Cost', ['JPY', 'EUR'], ['EUR', 100n]],
    ['Cost (€)', [null, 'JPY'], ['JPY', 1n]],
  ])('reads the currency of costs from the column %s and the currencies %j', (annual_cost, currencies, expected) => {
    const mapping = { external_id: 'id', name: 'id', kind: 'kind', annual_cost, currency: 'currency' }
    const rows = currencies.map((currency, at) =>
      fieldsOf({ kind: 'spaces', mapping }).map((field) =>
        field === 'id' ? `${at}` : field === 'kind' ? 'floor' : field === 'currency' ? currency : 1,
      ),
    )
    const { content } = readSpaces({ kind: 'spaces', mapping }, rows, new Map()).spaces[1] ?? {}
    expect([content?.currency, content?.annualCost]).toEqual(expected)
  })

  it('refuses circles, also of one', () => {
    const result = read([
      { external_id: 'a', parent_id: 'b' },
      { external_id: 'b', parent_id: 'a' },
      { external_id: 'c', parent_id: 'c' },
      { external_id: 'd' },
    ])
    expect(idsOf(result)).toEqual(['d'])
    expect(result.unusedRows.levels_exceeded?.rows).toBe(3)
  })

  it('refuses the ninth level', () => {
    const chain = Array.from({ length: 9 }, (_, level) => ({
      external_id: `l${level}`,
      ...(level === 0 ? {} : { parent_id: `l${level - 1}` }),
    }))
    expect(idsOf(read(chain))).toHaveLength(8)
    expect(read(chain).unusedRows).toEqual({ levels_exceeded: { rows: 1, example: 'l8' } })
  })

  it('refuses a kind above that of its parent', () => {
    const result = read([
      { external_id: 'r', kind: 'room' },
      { external_id: 'f', kind: 'floor', parent_id: 'r' },
    ])
    expect(result.unusedRows).toEqual({ kind_above_parent: { rows: 1, example: 'f' } })
  })

  it('takes places for cars without a number of places, and buildings that are named after them', () => {
    const result = read([
      { external_id: 'a', name: 'Car park' },
      { external_id: 'b', name: 'Parking Lane 3', kind: 'building', capacity: 40 },
    ])
    expect(idsOf(result)).toEqual(['a', 'b'])
  })

  it('takes the first of rows with the same id', () => {
    const result = read([
      { external_id: 'a', capacity: 1 },
      { external_id: 'a', capacity: 2 },
      { external_id: 'a', capacity: 3 },
    ])
    expect(result.spaces.map(({ content }) => content.capacity)).toEqual([1])
    expect(result.unusedRows).toEqual({ external_id_repeated: { rows: 2, example: 'a' } })
  })

  it('reads capacity, cost in minor units and the share, and leaves empty cells alone', () => {
    const [space] = read([
      { external_id: 'a', capacity: '80', annual_cost: 1200.505, avoidable_share: '0.4', timezone: '' },
    ]).spaces
    expect(space?.content).toEqual({
      name: 'a',
      kind: 'floor',
      capacity: 80,
      annualCost: 120_051n,
      avoidableShare: 0.4,
    })
  })

  it('reads opening hours, and names the row and the column of those it cannot read', () => {
    const { spaces, unusedRows } = read([
      { external_id: 'a', opening_hours: 'Mo, Di 8–18 Uhr' },
      { external_id: 'b', opening_hours: '' },
      { external_id: 'c', opening_hours: 'Mo-Fr 8-12, 13-18' },
      { external_id: 'd', opening_hours: 'on demand' },
    ])
    const hours = { from: '08:00', to: '18:00' }
    expect(spaces.map(({ content }) => content.openingHours)).toEqual([{ mon: hours, tue: hours }, ...Array(3)])
    expect(unusedRows).toEqual({
      opening_hours_unreadable: { rows: 2, example: 'c, opening_hours: Mo-Fr 8-12, 13-18' },
    })
  })

  it.each([
    [{ external_id: null, name: 'Hall' }, 'external_id_missing', 'Hall'],
    [{ name: ' ' }, 'name_missing', 'a'],
    [{ kind: null }, 'kind_unknown', null],
    [{ capacity: -1 }, 'capacity_unreadable', '-1'],
    [{ annual_cost: 'much' }, 'annual_cost_unreadable', 'much'],
    [{ annual_cost: ' ' }, 'annual_cost_unreadable', ' '],
    [{ annual_cost: 1e300 }, 'annual_cost_unreadable', '1e+300'],
    [{ avoidable_share: 140 }, 'avoidable_share_unreadable', '140'],
    [{ name: 'Tiefgarage', capacity: 80 }, 'capacity_for_cars', 'Tiefgarage'],
    [{ timezone: 'Europe/Nowhere' }, 'timezone_unknown', 'Europe/Nowhere'],
  ])('refuses %p: %s', (change, reason, example) => {
    expect(read([{ external_id: 'a', ...change }])).toEqual({
      spaces: [],
      unusedRows: { [reason]: { rows: 1, example } },
    })
  })
})

describe('readSpaces of a list with a column for each level', () => {
  it('gives the spaces around its rows the place in which these agree', () => {
    const mapping = { site: 'site', building: 'building', floor: 'floor', country: 'country', timezone: 'timezone' }
    const cells = [
      { site: 'S', building: 'A', floor: 1, country: 'US', timezone: 'America/New_York' },
      { site: 'S', building: 'A', floor: 2, country: 'US', timezone: 'America/New_York' },
      { site: 'S', building: 'B', floor: 1, country: 'US', timezone: 'America/Chicago' },
      { site: 'S', building: 'B', floor: 2, country: 'US', timezone: 'America/Chicago' },
    ]
    const ofLevels = { kind: 'spaces' as const, mapping }
    const rows = cells.map((row) => fieldsOf(ofLevels).map((role) => Reflect.get(row, role)))
    const { spaces } = readSpaces(ofLevels, rows, new Map())
    const around = spaces.filter(({ content }) => content.kind !== 'floor')
    expect(around.map(({ content: { name, country, timezone } }) => [name, country, timezone])).toEqual([
      ['S', 'US', undefined],
      ['A', 'US', 'America/New_York'],
      ['B', 'US', 'America/Chicago'],
    ])
  })

  it.each([0, 1, 2])(
    'gives the spaces around its rows their opening hours where those of row %d cannot be read',
    (at) => {
      const hours = ['Mo-Fr 7-22', 'Mo-Fr 7-22'].toSpliced(at, 0, 'nach Vereinbarung')
      const ofLevels = {
        kind: 'spaces' as const,
        mapping: { site: 'site', floor: 'floor', opening_hours: 'opening_hours' },
      }
      const cells = hours.map((opening_hours, floor) => ({ site: 'S', floor, opening_hours }))
      const rows = cells.map((row) => fieldsOf(ofLevels).map((role) => Reflect.get(row, role)))
      const { spaces, unusedRows } = readSpaces(ofLevels, rows, new Map())
      const known = spaces.map(({ content: { kind, openingHours } }) => [kind, openingHours !== undefined])
      expect(known).toContainEqual(['site', true])
      expect(known.filter(([, isKnown]) => !isKnown)).toEqual([['floor', false]])
      expect(unusedRows).toMatchObject({ opening_hours_unreadable: { rows: 1 } })
    },
  )

  const mapping = {
    site: 'site',
    building: 'building',
    floor: 'floor',
    zone: 'zone',
    room: 'room',
    capacity: 'capacity',
  }
  const nodeOf = (id: string, kind: string, name: string, parentId: string | null, externalId: string | null = null) =>
    ({ id, kind, name, parentId, externalId }) as SpaceNode // the reader takes no other field
  const readLevels = (rows: Record<string, unknown>[], levels: (keyof typeof mapping)[], nodes: SpaceNode[] = []) => {
    const ofLevels = { kind: 'spaces' as const, mapping: Object.fromEntries(levels.map((role) => [role, role])) }
    const known = new Map(nodes.map(({ externalId, id }) => [externalId, id]))
    const cells = rows.map((row) => fieldsOf(ofLevels).map((field) => row[field] ?? null))
    return readSpaces(ofLevels, cells, known, nodes)
  }

  it('makes the spaces around each row once, and names those without an id by their path', () => {
    const { spaces, unusedRows } = readLevels(
      [
        { building: 'Nord', floor: 1, capacity: 40 },
        { building: 'NORD ', floor: 2, capacity: 30 },
        { building: 'Süd', floor: 1, capacity: 20 },
        { building: 'Süd', capacity: 25 },
      ],
      ['building', 'floor', 'capacity'],
    )
    expect(
      spaces.map(({ externalId, parentExternalId, content }) => [
        externalId,
        parentExternalId,
        content.kind,
        content.name,
        content.capacity,
      ]),
    ).toEqual([
      ['Süd', null, 'building', 'Süd', 25],
      ['Nord', null, 'building', 'Nord', undefined],
      ['Nord / 1', 'Nord', 'floor', '1', 40],
      ['Nord / 2', 'Nord', 'floor', '2', 30],
      ['Süd / 1', 'Süd', 'floor', '1', 20],
    ])
    expect(unusedRows).toEqual({})
  })

  it('finds the spaces of the workspace by their names, and leaves the outermost where it is', () => {
    const nodes = [
      nodeOf('spc_s', 'site', 'Berlin', null, 'BER'),
      nodeOf('spc_n', 'building', 'Haus Nord', 'spc_s', 'BER-N'),
      nodeOf('spc_1', 'floor', '1. OG', 'spc_n'),
    ]
    const { spaces } = readLevels(
      [
        { building: 'haus nord', floor: '1. OG' },
        { building: 'haus nord', floor: '2. OG' },
      ],
      ['building', 'floor'],
      nodes,
    )
    expect(spaces.map(({ id, externalId, parentExternalId }) => [id, externalId, parentExternalId])).toEqual([
      ['spc_n', 'BER-N', undefined],
      ['spc_1', 'BER-N / 1. OG', 'BER-N'],
      [undefined, 'BER-N / 2. OG', 'BER-N'],
    ])
  })

  it('makes another building when two of the workspace have its name', () => {
    const nodes = [nodeOf('spc_a', 'building', 'A', null, 'a1'), nodeOf('spc_b', 'building', 'A', 'spc_s', 'a2')]
    const { spaces } = readLevels([{ building: 'A' }], ['building'], nodes)
    expect(spaces.map(({ id, externalId }) => [id, externalId])).toEqual([[undefined, 'A']])
  })

  it('refuses rows without a level between two, and those that come again; a zone may be left out', () => {
    const { spaces, unusedRows } = readLevels(
      [
        { site: 'Bonn', building: 'A', floor: 'EG', room: 'Forum' },
        { site: 'Bonn', building: 'A', floor: 'EG', room: 'forum' },
        { site: 'Bonn', floor: 'OG' },
        { building: 'B' },
        { site: 'Bonn', building: 'A', room: 'Loft' },
        {},
      ],
      ['site', 'building', 'floor', 'zone', 'room'],
    )
    expect(spaces.map(({ externalId }) => externalId)).toEqual([
      'Bonn',
      'Bonn / A',
      'Bonn / A / EG',
      'Bonn / A / EG / Forum',
    ])
    expect(unusedRows).toEqual({
      external_id_repeated: { rows: 1, example: 'Bonn / A / EG / Forum' },
      building_missing: { rows: 1, example: 'OG' },
      site_missing: { rows: 1, example: 'B' },
      floor_missing: { rows: 1, example: 'Loft' },
      name_missing: { rows: 1, example: null },
    })
  })
})

describe('countBesideMissing', () => {
  const nodeOf = (id: string, kind: string, name: string, parentId: string | null) =>
    ({ id, kind, name, parentId, externalId: name }) as SpaceNode // no other field is read
  const nodes = [nodeOf('b', 'building', 'North', null), ...['1', '2'].map((id) => nodeOf(id, 'floor', id, 'b'))]

  it.each([
    ['one of the known floors is missing', ['1', '2nd'], { rows: 1, example: '2nd: the list lacks 2' }],
    ['all known floors are in the list', ['1', '2', '3'], undefined],
    ['the list adds floors alone', ['3', '4'], undefined],
  ])('tells of new floors when %s', (_, floors, expected) => {
    const { spaces } = read([
      { external_id: 'North', kind: 'building' },
      ...floors.map((floor) => ({ external_id: floor, parent_id: 'North' })),
    ])
    expect(countBesideMissing(spaces, nodes).new_beside_missing).toEqual(expected)
  })
})

describe('treeProblem', () => {
  const node = (id: string, parentId: string | null) => ({ id, parentId, name: id })

  it('names a space that would lie within itself by way of one that the list does not name', () => {
    expect(treeProblem([node('a', null), node('b', 'a')])).toBeUndefined()
    expect(treeProblem([node('root', null), node('a', 'b'), node('b', 'a')])).toContain('"a" would lie within itself')
  })

  it('names a space that would lie too deep', () => {
    const chain = Array.from({ length: 9 }, (_, level) => node(`l${level}`, level === 0 ? null : `l${level - 1}`))
    expect(treeProblem(chain.slice(0, 8))).toBeUndefined()
    expect(treeProblem(chain.toReversed())).toContain('"l8" would lie below level 8')
  })
})
