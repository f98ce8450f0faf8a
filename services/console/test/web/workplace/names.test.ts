import { describe, expect, it } from '@jest/globals'
import type { DatasetValue } from '../../../web/src/workplace/datasets/dataset-words.ts'
import { applyPlan, type NewPlace, type PlanApplication } from '../../../web/src/workplace/datasets/names/apply-plan.ts'
import { askedBuildings, describeWaiting, planNames } from '../../../web/src/workplace/datasets/names/name-plan.ts'
import { spaceToShow } from '../../../web/src/workplace/datasets/space-to-show.ts'

const unknown = (value: string, part: Partial<DatasetValue> = {}): DatasetValue => ({
  role: 'space',
  value,
  rows: 10,
  mapped_to: null,
  matched_by: 'none',
  suggestions: [],
  ...part,
})
const rhein = { id: 'spc_b', name: 'Haus Rhein', kind: 'building', parent_id: null }
const floor = (id: string, name: string) => ({ id, name, kind: 'floor', parent_id: 'spc_b' })
const inRhein = (value: string) =>
  unknown(value, { suggestions: [{ id: 'spc_b', name: 'Haus Rhein', similarity: 0.8 }] })
const kindsOf = (...values: string[]) =>
  Object.fromEntries(
    planNames(
      values.map((value) => unknown(value)),
      'badge_events',
    ).map(({ value, target }) => [value, target.type === 'new' ? target.kind : target.type]),
  )

const everywhere = (place: NewPlace) => new Map([undefined, 'C', 'M1'].map((name) => [name, place] as const))

describe('the plan of unknown names', () => {
  it('tells rows that are not counted from those that are, but for no team', () => {
    const waiting = (values: DatasetValue[], kind: 'badge_events' | 'people') =>
      describeWaiting(planNames(values, kind), kind)
    const team = unknown('Sales', { role: 'team', rows: 1 })
    expect(waiting([team], 'badge_events')).toBe(
      '1 row of the file counts for a team once it is known. In the building they are counted.',
    )
    expect(waiting([team], 'people')).toBe('1 row of the file can be counted once it is known.')
    expect(waiting([team, unknown('EG')], 'badge_events')).toBe(
      '10 rows of the file can be counted once they are known.',
    )
  })

  it('tells floors, rooms, zones and buildings by their words, and readers at a door as the building', () => {
    expect(
      kindsOf(
        '3. OG',
        'EG',
        '-1',
        'Floor 2',
        'Raum 4.03',
        'Meeting Room A',
        'Zone B',
        'Haus C',
        'Haupteingang',
        'Main door',
        'Ceiling camera 2',
        'Nord',
        'Floor 3 Door A',
        'L3 Door North',
        '3.OG Tür Nord',
        'Meeting room door',
        'Haupttüre',
        'Eingang Bürogebäude',
      ),
    ).toEqual({
      '3. OG': 'floor',
      EG: 'floor',
      '-1': 'floor',
      'Floor 2': 'floor',
      Nord: 'floor',
      'Raum 4.03': 'room',
      'Meeting Room A': 'room',
      'Zone B': 'zone',
      'Haus C': 'building',
      Haupteingang: 'building',
      'Main door': 'building',
      'Floor 3 Door A': 'floor',
      'L3 Door North': 'floor',
      '3.OG Tür Nord': 'floor',
      'Meeting room door': 'room',
      Haupttüre: 'building',
      'Eingang Bürogebäude': 'building',
      'Ceiling camera 2': 'zone',
    })
    expect(planNames([unknown('Haupteingang')], 'badge_events')[0]?.target).toEqual({ type: 'building' })
  })

  it.each([
    ['badge_events', 'building'],
    ['bookings', 'left_out'],
    ['counts', 'left_out'],
  ] as const)('makes no floor of places for cars in %s', (kind, type) => {
    const plan = planNames([unknown('Tiefgarage'), unknown('Parking Level 2'), unknown('Stellplatz 7')], kind)
    expect(plan.map(({ target }) => target)).toEqual([{ type }, { type }, { type }])
  })

  it('takes a near suggestion, and lists places in their order before teams', () => {
    const plan = planNames(
      [
        unknown('Sales', { role: 'team' }),
        unknown('Etage 10'),
        unknown('Etage 2', { suggestions: [{ id: 'spc_2', name: '2. Etage', similarity: 0.8 }] }),
      ],
      'badge_events',
    )
    expect(plan.map(({ value, target }) => [value, target])).toEqual([
      ['Etage 2', { type: 'existing', id: 'spc_2' }],
      ['Etage 10', { type: 'new', kind: 'floor' }],
      ['Sales', { type: 'new', kind: 'team' }],
    ])
  })

  it.each([
    [['spc_1', 'spc_2'], { type: 'existing', id: 'spc_3' }],
    [['spc_1'], { type: 'undecided' }],
    [['spc_1', 'spc_2', 'spc_3'], { type: 'new', kind: 'floor' }],
    [undefined, { type: 'undecided' }],
  ])('takes a floor for a free one of its building when %j have names', (used, target) => {
    const spaces = [rhein, floor('spc_1', 'Nord'), floor('spc_2', 'Süd'), floor('spc_3', 'West')]
    const planned = (value: string) => planNames([inRhein(value)], 'counts', spaces, used && new Set(used))[0]?.target
    expect(planned('Haus Rhein 3. OG')).toEqual(target)
    expect(planned('Haus am Rhein')).toEqual({ type: 'existing', id: 'spc_b' })
  })

  it.each([
    ['contradicts its number', ['Haus Rhein EG', 'Haus Rhein 1. UG', 'Haus Rhein 4. OG', 'Haus Rhein DG'], 'new'],
    ['has its number', ['Haus Rhein 3.OG West'], 'spc_3'],
    ['is one of two that may be it', ['Haus Rhein Nordetage', 'Haus Rhein Südetage'], 'undecided'],
    ['is of places for cars or a door', ['Haus Rhein Tiefgarage Ebene 3', 'Haus Rhein Eingang EG'], 'spc_b'],
  ])('takes no floor for two names, or another level, when a name %s', (_, values, outcome) => {
    const plan = planNames(values.map(inRhein), 'badge_events', [rhein, floor('spc_3', '3. OG')], new Set())
    const targets = plan.map(({ target }) => (target.type === 'existing' ? target.id : target.type))
    expect(targets).toEqual(values.map(() => outcome))
  })

  it('takes names that differ in capitals and spaces only as one, named as most rows are', async () => {
    const plan = planNames(
      [
        unknown('nord 1.OG', { rows: 5 }),
        unknown('Nord 1. OG', { rows: 20 }),
        unknown('Vertrieb', { role: 'team' }),
        unknown('vertrieb', { role: 'team', rows: 9 }),
        // These are two.
        unknown('Raum 1 1'),
        unknown('Raum 11'),
      ],
      'badge_events',
    )
    const targets = Object.fromEntries(plan.map(({ value, target }) => [value, target]))
    expect(targets).toEqual({
      'Nord 1. OG': { type: 'new', kind: 'floor' },
      'nord 1.OG': { type: 'same', value: 'Nord 1. OG' },
      Vertrieb: { type: 'new', kind: 'team' },
      vertrieb: { type: 'same', value: 'Vertrieb' },
      'Raum 1 1': { type: 'new', kind: 'room' },
      'Raum 11': { type: 'new', kind: 'room' },
    })
  })

  it('reads the building before a separator that all names have, if names share one', () => {
    const plan = planNames([unknown('Haus A | EG'), unknown('Haus A | 1. OG'), unknown('Haus B | EG')], 'badge_events')
    expect(plan.map(({ building, name }) => [building, name])).toEqual([
      ['Haus A', '1. OG'],
      ['Haus A', 'EG'],
      ['Haus B', 'EG'],
    ])
    expect(
      planNames([unknown('A/1'), unknown('B/2')], 'badge_events').every(({ building }) => building === undefined),
    ).toBe(true)
  })
})

describe('a plan that is applied', () => {
  const place = { parentId: undefined, site: 'Köln', building: 'Main', country: 'DE', timezone: 'Europe/Berlin' }

  /** An API that records what is created, and fails at a name. */
  function fakeApplication(values: DatasetValue[], failsAt?: string, spaces: PlanApplication['spaces'] = []) {
    const calls: unknown[] = []
    const create = async ({ body }: { body: { name: string } }) => {
      if (body.name === failsAt) throw new Error('offline')
      calls.push(body)
      return { id: `id of ${body.name}` }
    }
    const updateDataset = async ({ body }: { body: unknown }) => calls.push(body)
    const solutions = { createSpace: create, createTeam: create, updateDataset }
    const application = {
      api: { solutions } as unknown as PlanApplication['api'], // only these calls are made
      datasetId: 'ds_1',
      plan: planNames(values, 'badge_events', spaces),
      places: everywhere(place),
      spaces,
      capacities: new Map([['1. OG', 40]]),
      created: new Map<string, string>(),
      onProgress: () => undefined,
    }
    return { calls, application }
  }

  it('creates the site and the building once, then floors and teams, and maps every name', async () => {
    const { calls, application } = fakeApplication([
      unknown('1. OG'),
      unknown('Haupteingang'),
      unknown('Sales', { role: 'team' }),
    ])
    await applyPlan(application)
    expect(calls).toEqual([
      { name: 'Köln', kind: 'site', country: 'DE', timezone: 'Europe/Berlin' },
      { name: 'Main', kind: 'building', parent_id: 'id of Köln' },
      { name: '1. OG', kind: 'floor', parent_id: 'id of Main', capacity: 40 },
      { name: 'Sales' },
      {
        space_map: { '1. OG': 'id of 1. OG', Haupteingang: 'id of Main' },
        team_map: { Sales: 'id of Sales' },
      },
    ])
  })

  it('creates a building with its country and time zone when no site is named', async () => {
    const { calls, application } = fakeApplication([unknown('EG'), unknown('Haus C')])
    await applyPlan({ ...application, places: everywhere({ ...place, site: '' }) })
    const stated = { parent_id: null, country: 'DE', timezone: 'Europe/Berlin' }
    expect(calls.slice(0, 3)).toEqual([
      { name: 'Main', kind: 'building', ...stated },
      { name: 'EG', kind: 'floor', parent_id: 'id of Main', capacity: null },
      { name: 'Haus C', kind: 'building', capacity: null, ...stated },
    ])
  })

  it('makes one floor of names that are the same', async () => {
    const { calls, application } = fakeApplication([unknown('nord', { rows: 1 }), unknown('Nord')])
    await applyPlan(application)
    expect(calls.slice(2)).toEqual([
      { name: 'Nord', kind: 'floor', parent_id: 'id of Main', capacity: null },
      { space_map: { nord: 'id of Nord', Nord: 'id of Nord' } },
    ])
  })

  it('takes the site and the building of the same name that exist', async () => {
    const { calls, application } = fakeApplication([unknown('1. OG')], undefined, [
      { id: 'elsewhere', name: 'Main', kind: 'building', parent_id: 'other' },
      { id: 'site', name: 'köln', kind: 'site', parent_id: null },
      { id: 'house', name: 'Main', kind: 'building', parent_id: 'site' },
    ])
    await applyPlan(application)
    expect(calls[0]).toEqual({ name: '1. OG', kind: 'floor', parent_id: 'house', capacity: 40 })
  })

  it('puts places into the building that the file names when the person chose another building', async () => {
    const berlin = { kind: 'building', parent_id: 'berlin' }
    const { calls, application } = fakeApplication(
      [unknown('B | Desk 1'), unknown('C | Desk 1'), unknown('C | Desk 2')],
      undefined,
      [
        { id: 'a', name: 'A', ...berlin },
        { id: 'b', name: 'B', ...berlin },
      ],
    )
    await applyPlan({ ...application, places: everywhere({ parentId: 'a' }) })
    expect(calls.slice(0, 3)).toEqual([
      expect.objectContaining({ name: 'Desk 1', parent_id: 'b' }),
      { name: 'C', kind: 'building', parent_id: 'berlin' },
      expect.objectContaining({ name: 'Desk 1', parent_id: 'id of C' }),
    ])
  })

  it('puts each building that the file names into the site that was chosen for it', async () => {
    const { calls, application } = fakeApplication(
      [unknown('Dom / EG'), unknown('Dom / OG'), unknown('Roland / EG')],
      undefined,
      [{ id: 'koeln', name: 'Köln', kind: 'site', parent_id: null }],
    )
    expect(askedBuildings(application.plan, application.spaces)).toEqual(['Dom', 'Roland'])
    const bremen = { ...place, site: 'Bremen' }
    const places = new Map<string, NewPlace>([
      ['Dom', { parentId: 'koeln' }],
      ['Roland', bremen],
    ])
    await applyPlan({ ...application, places })
    expect(calls.slice(0, 6)).toEqual([
      { name: 'Dom', kind: 'building', parent_id: 'koeln' },
      { name: 'EG', kind: 'floor', parent_id: 'id of Dom', capacity: null },
      { name: 'OG', kind: 'floor', parent_id: 'id of Dom', capacity: null },
      { name: 'Bremen', kind: 'site', country: 'DE', timezone: 'Europe/Berlin' },
      { name: 'Roland', kind: 'building', parent_id: 'id of Bremen' },
      { name: 'EG', kind: 'floor', parent_id: 'id of Roland', capacity: null },
    ])
  })

  it('makes the floor of a name in the building that it is known to be in, and asks for none', async () => {
    const { calls, application } = fakeApplication([inRhein('Haus Rhein EG')], '', [rhein])
    expect(askedBuildings(application.plan, [rhein])).toEqual([])
    await applyPlan({ ...application, places: everywhere({ parentId: 'a' }) })
    expect(calls[0]).toMatchObject({ name: 'Haus Rhein EG', kind: 'floor', parent_id: 'spc_b' })
  })

  it.each([
    ['a place that is not asked for is elsewhere', [], 'm'],
    ['the site has a second one of that name', [{ id: 'b', name: 'M1', kind: 'building', parent_id: 'berlin' }], 'b'],
  ])('puts places into the building that the file names when %s', async (_, others, parent) => {
    const spaces = [
      { id: 'berlin', name: 'Berlin', kind: 'site', parent_id: null },
      { id: 'munich', name: 'Munich', kind: 'site', parent_id: null },
      { id: 'm', name: 'M1', kind: 'building', parent_id: 'munich' },
      ...others,
    ]
    const { calls, application } = fakeApplication([unknown('M1 | Floor 2'), unknown('M1 | Floor 3')], '', spaces)
    expect(askedBuildings(application.plan, spaces)).toEqual(others.length > 0 ? ['M1'] : [])
    await applyPlan({ ...application, places: everywhere({ parentId: 'berlin' }) })
    expect(calls.slice(0, 2)).toEqual([
      expect.objectContaining({ name: 'Floor 2', parent_id: parent }),
      expect.objectContaining({ name: 'Floor 3', parent_id: parent }),
    ])
  })

  it('creates nothing twice when it is tried again after a failure', async () => {
    const { calls, application } = fakeApplication([unknown('1. OG'), unknown('2. OG')], '2. OG')
    await expect(applyPlan(application)).rejects.toThrow('offline')
    const before = calls.length
    await expect(applyPlan(application)).rejects.toThrow('offline')
    expect(calls).toHaveLength(before)
  })
})

describe('the space that shows a file', () => {
  const spaces = [
    { id: 'site', name: 'Köln', kind: 'site', parent_id: null },
    { id: 'house', name: 'Main', kind: 'building', parent_id: 'site' },
    { id: 'floor', name: 'EG', kind: 'floor', parent_id: 'house' },
    { id: 'yard', name: 'Yard', kind: 'zone', parent_id: 'site' },
  ]
  it.each([
    ['the building of the name with the most rows', ['floor', 'yard'], 'house'],
    ['the outermost space where there is no building', ['yard', 'floor'], 'site'],
    ['none while no name is known', [null], undefined],
  ])('is %s', (_, mapped, expected) => {
    expect(
      spaceToShow(
        mapped.map((id) => unknown('x', { mapped_to: id })),
        spaces,
      ),
    ).toBe(expected)
  })
})
