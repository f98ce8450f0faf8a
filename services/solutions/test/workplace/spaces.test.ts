import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { waitUntilCounted } from '../fixture/company.ts'
import { csvOf, type Harness, startHarness } from '../fixture/harness.ts'

const workplace = '/v1/solutions/workplace'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

async function create(list: 'spaces' | 'teams' | 'datasets', body: object) {
  const answer = await harness.call('POST', `${workplace}/${list}`, { body })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}
const space = (name: string, kind: string, more: object = {}) => create('spaces', { name, kind, ...more })
const patch = (path: string, body: object) => harness.call('PATCH', `${workplace}/${path}`, { body })
const read = async (path: string) => (await harness.call('GET', `${workplace}/${path}`)).body.data

/** Matches a problem with exactly this pointer. */
const refused = (pointer: string) => ({ status: 400, body: { errors: [{ pointer, detail: expect.any(String) }] } })

describe('spaces', () => {
  it('inherit time zone, country and hours from the nearest space around, and a subdivision within its country', async () => {
    const hours = { mon: { from: '06:00', to: '22:00' } }
    const values = { timezone: 'Europe/Berlin', country: 'DE', subdivision: 'BY', opening_hours: hours }
    const site = await space('Munich', 'site', values)
    const building = await space('North', 'building', { parent_id: site.id, country: 'AT' })
    const floor = await space('Level 1', 'floor', { parent_id: building.id, timezone: 'Europe/Vienna' })
    expect(floor).toMatchObject({ country: null, opening_hours: null })
    expect(floor.effective).toMatchObject({
      timezone: 'Europe/Vienna',
      country: 'AT',
      subdivision: null,
      opening_hours: hours,
    })
    expect((await space('Level 2', 'floor', { parent_id: site.id })).effective).toMatchObject({
      timezone: 'Europe/Berlin',
      subdivision: 'BY',
    })
    // Null takes the own values away.
    await patch(`spaces/${floor.id}`, { timezone: null })
    await patch(`spaces/${site.id}`, { opening_hours: null })
    const { effective } = await read(`spaces/${floor.id}`)
    expect(effective.timezone).toBe('Europe/Berlin')
    expect(effective.opening_hours).toMatchObject({ fri: { from: '07:00', to: '20:00' } })
  })

  it('have the places of the spaces in them where they state none', async () => {
    const site = await space('Nantes', 'site')
    const building = await space('Confluence', 'building', { parent_id: site.id })
    const floor = await space('Level 1', 'floor', { parent_id: building.id, capacity: 40 })
    await space('Meeting room', 'room', { parent_id: floor.id, capacity: 12 })
    await space('Level 2', 'floor', { parent_id: building.id, capacity: 25 })
    const placesOf = async ({ id }: { id: string }) => (await read(`spaces/${id}`)).effective.capacity
    expect([await placesOf(site), await placesOf(building), await placesOf(floor)]).toEqual([65, 65, 40])
    const [listed] = await read(`spaces?ids=${building.id}`)
    expect(listed).toMatchObject({ capacity: null, effective: { capacity: 65 } })
    await patch(`spaces/${building.id}`, { capacity: 60 })
    expect(await placesOf(site)).toBe(60)
    expect(await placesOf(await space('Annex', 'building', { parent_id: site.id }))).toBeNull()
  })

  it('cannot lie in themselves, at a ninth level, or in a space of a kind further in', async () => {
    const chain = [await space('Zone 1', 'zone')]
    for (let level = 2; level <= 8; level++)
      chain.push(await space(`Zone ${level}`, 'zone', { parent_id: chain.at(-1).id }))
    const [first, second] = chain
    const ninth = { name: 'Zone 9', kind: 'zone', parent_id: chain.at(-1).id }
    expect(await harness.call('POST', `${workplace}/spaces`, { body: ninth })).toMatchObject(refused('/parent_id'))
    for (const id of [first.id, second.id, chain.at(-1).id])
      expect(await patch(`spaces/${first.id}`, { parent_id: id })).toMatchObject(refused('/parent_id'))
    const site = await space('Zurich', 'site')
    expect(await patch(`spaces/${first.id}`, { parent_id: site.id })).toMatchObject(refused('/parent_id'))
    expect(await patch(`spaces/${site.id}`, { parent_id: second.id })).toMatchObject({ status: 400 })
    expect(await patch(`spaces/${second.id}`, { kind: 'building' })).toMatchObject(refused('/kind'))
    expect(await patch(`spaces/${first.id}`, { kind: 'room' })).toMatchObject(refused('/kind'))
  })

  it('have an external_id of their own, and are not deleted with spaces in them', async () => {
    const building = await space('South', 'building', { external_id: 'south', capacity: 80 })
    const floor = await space('Ground', 'floor', { parent_id: building.id })
    const copy = { body: { name: 'Copy', kind: 'building', external_id: 'south' } }
    expect(await harness.call('POST', `${workplace}/spaces`, copy)).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: '/external_id' }] },
    })
    expect((await patch(`spaces/${floor.id}`, { external_id: 'south' })).status).toBe(409)
    expect(
      (await patch(`spaces/${building.id}`, { external_id: 'south', capacity: null })).body.data.capacity,
    ).toBeNull()
    expect((await harness.call('DELETE', `${workplace}/spaces/${building.id}`)).status).toBe(409)
    for (const { id } of [floor, building])
      expect((await harness.call('DELETE', `${workplace}/spaces/${id}`)).status).toBe(200)
    expect(
      await harness.call('POST', `${workplace}/spaces`, { body: { name: 'Lost', kind: 'room', parent_id: floor.id } }),
    ).toMatchObject(refused('/parent_id'))
  })
})

describe('lists', () => {
  const list = async (path: string): Promise<string[]> =>
    (await read(path)).map(({ name }: { name: string }) => name).toSorted()

  it('find spaces by kinds and a part of their name, and tell what is around them', async () => {
    const site = await space('Lyon', 'site')
    const building = await space('Lyon 100%', 'building', { parent_id: site.id, external_id: 'LY_1' })
    const floor = await space('Lyon ground floor', 'floor', { parent_id: building.id })
    expect(await list('spaces?kind=site,building&search=lyon')).toEqual(['Lyon', 'Lyon 100%'])
    expect(await list('spaces?search=LYON')).toHaveLength(3)
    expect(await list('spaces?search=100%25')).toEqual(['Lyon 100%'])
    expect(await list('spaces?search=y_1')).toEqual(['Lyon 100%'])
    expect(await list('spaces?search=y_o')).toEqual([])
    expect(await list(`spaces?ids=${site.id},${floor.id}`)).toEqual(['Lyon', 'Lyon ground floor'])
    expect(floor.path.map(({ name }: { name: string }) => name)).toEqual(['Lyon', 'Lyon 100%'])
    expect(site.path).toEqual([])
    expect(await harness.call('GET', `${workplace}/spaces?kind=site,roof`)).toMatchObject({ status: 400 })
  })

  it('find teams by a part of their name, and by the space that they are at home in', async () => {
    const building = await space('Porto', 'building')
    const floor = await space('Porto 1', 'floor', { parent_id: building.id })
    await create('teams', { name: 'Porto design', home_space_id: floor.id })
    await create('teams', { name: 'Porto research', home_space_id: building.id })
    expect(await list(`teams?home_space_id=${building.id}`)).toEqual(['Porto design', 'Porto research'])
    expect(await list(`teams?home_space_id=${floor.id}&search=DESIGN`)).toEqual(['Porto design'])
    expect(await list(`teams?home_space_id=${floor.id}&search=research`)).toEqual([])
  })

  it('of figures are of several spaces or teams at once', async () => {
    const [site, other] = [await space('Graz', 'site'), await space('Linz', 'site')]
    const ask = (query: string) => harness.call('GET', `${workplace}/utilization?${query}`)
    expect(await ask(`space_ids=${site.id},${other.id}&interval=range`)).toMatchObject({ status: 200 })
    expect(await ask(`space_ids=${site.id},${site.id.slice(0, -3)}000`)).toMatchObject(refused('?space_ids'))
    expect(await ask(`space_ids=${site.id}&space_id=${site.id}`)).toMatchObject(refused('?space_ids'))
    expect(await ask('interval=range')).toMatchObject(refused('?space_id'))
    const period = `space_id=${site.id}&until=2026-03-02&days=7`
    expect((await ask(period)).body.meta).toMatchObject({ since: '2026-02-23', until: '2026-03-02' })
    expect(await ask(`${period}&weekdays=mon,fri&interval=range`)).toMatchObject({ status: 200 })
    expect(await ask(`${period}&weekdays=mon&interval=week`)).toMatchObject(refused('?weekdays'))
    expect(await ask(`${period}&since=2026-02-01`)).toMatchObject(refused('?days'))
    const team = await create('teams', { name: 'Graz sales' })
    expect(await ask(`team_ids=${team.id}&interval=weekday_hour`)).toMatchObject(refused('?interval'))
    expect(await ask(`team_ids=${Array.from({ length: 101 }, (_, at) => `${team.id}${at}`)}`)).toMatchObject({
      status: 400,
    })
  })
})

describe('teams', () => {
  it('refuse circles, references that do not exist and spaces that are both fixed and excluded', async () => {
    const home = await space('Level 4', 'floor')
    const division = await create('teams', { name: 'Division', external_id: 'div' })
    const team = await create('teams', {
      name: 'Team',
      parent_id: division.id,
      home_space_id: home.id,
      near: [division.id],
    })
    const gone = `${home.id.slice(0, -3)}000`
    const noTeam = `${team.id.slice(0, -3)}000`
    expect(await patch(`teams/${division.id}`, { parent_id: team.id })).toMatchObject(refused('/parent_id'))
    expect(await patch(`teams/${team.id}`, { home_space_id: gone })).toMatchObject(refused('/home_space_id'))
    expect(await patch(`teams/${team.id}`, { fixed_space_ids: [home.id, gone] })).toMatchObject(
      refused('/fixed_space_ids/1'),
    )
    expect(await patch(`teams/${team.id}`, { near: [division.id, noTeam] })).toMatchObject(refused('/near/1'))
    const both = { fixed_space_ids: [home.id], excluded_space_ids: [home.id] }
    expect(await patch(`teams/${team.id}`, both)).toMatchObject(refused('/excluded_space_ids/0'))
    expect((await patch(`teams/${team.id}`, { external_id: 'div' })).status).toBe(409)
    expect((await harness.call('DELETE', `${workplace}/teams/${division.id}`)).status).toBe(409)
    expect((await patch(`teams/${team.id}`, { home_space_id: null, parent_id: null })).body.data).toMatchObject({
      home_space_id: null,
      parent_id: null,
    })
    expect((await harness.call('DELETE', `${workplace}/teams/${division.id}`)).status).toBe(200)
  })
})

describe('datasets', () => {
  const day = '2026-03-05'
  let sourceId: string
  let lobby: { id: string }
  beforeAll(async () => {
    const swipes = Array.from({ length: 8 }, (_, person) => [
      `P${person}`,
      `${day}T09:0${person}:00`,
      person < 6 ? 'Lobby' : 'Levl 7',
      'in',
    ])
    const unreadable = [
      ['P0', `${day}T12:00:00`, 'Lobby', 'denied'],
      ['', `${day}T12:00:00`, 'Lobby', 'in'],
    ]
    const rows = [...unreadable, ...swipes]
    sourceId = await harness.createSource(csvOf('Badge,Time,Reader,Event', rows))
    lobby = await space('Lobby', 'floor')
  })

  const mapping = { person: 'Badge', time: 'Time', space: 'Reader', direction: 'Event' }
  const post = (body: object) =>
    harness.call('POST', `${workplace}/datasets`, {
      body: { name: 'Badges', kind: 'badge_events', data_source_id: sourceId, ...body },
    })

  it('refuse a column that the source does not have, with the nearest one, and roles that are missing or unknown', async () => {
    const wrong = await post({ mapping: { ...mapping, space: 'Raeder' } })
    expect(wrong).toMatchObject(refused('/mapping/space'))
    expect(wrong.body.errors[0].detail).toContain('did you mean "Reader"?')
    const { body } = await post({ mapping: { person: 'Badge', space: 'Reader', floor: 'Reader' } })
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/mapping/floor',
      '/mapping/time',
    ])
    const elsewhere = await post({ mapping, space_map: { 'Levl/7': `${lobby.id.slice(0, -3)}000` } })
    expect(elsewhere).toMatchObject(refused('/space_map/Levl~17'))
  })

  it('list values without a space with suggestions, and count their rows once they are mapped', async () => {
    const { id } = await create('datasets', { name: 'Badges', kind: 'badge_events', data_source_id: sourceId, mapping })
    const level = await space('Level 7', 'floor')
    await waitUntilCounted(harness)
    const reasons = async () => {
      const { rows } = await read(`datasets/${id}`)
      return [
        rows.read,
        rows.used,
        Object.fromEntries(rows.unused.map((own: { reason: string; rows: number }) => [own.reason, own.rows])),
      ]
    }
    const unreadable = { direction_unknown: 1, person_missing: 1 }
    expect(await reasons()).toEqual([10, 6, { space_unmapped: 2, ...unreadable }])
    const [unmapped, ...others] = await read(`datasets/${id}/values?mapped=false`)
    expect(others).toEqual([])
    expect(unmapped).toMatchObject({ role: 'space', value: 'Levl 7', rows: 2, mapped_to: null, matched_by: 'none' })
    expect(unmapped.suggestions[0]).toMatchObject({ id: level.id, name: 'Level 7' })
    const dayOf = async (spaceId: string) =>
      (await read(`utilization?space_id=${spaceId}&interval=day&since=${day}&until=2026-03-06`))[0]
    expect(await dayOf(lobby.id)).toMatchObject({ attendance: 6, suppressed: false })
    expect(await dayOf(level.id)).toBeUndefined()
    const warningsOf = async () =>
      (await harness.call('GET', `${workplace}/utilization?space_id=${lobby.id}`)).body.meta.warnings
    expect(await warningsOf()).toEqual([
      'Some rows of the dataset "Badges" name a place that is not known: they are in no figure before it is mapped.',
    ])

    expect((await patch(`datasets/${id}`, { space_map: { 'Levl 7': lobby.id } })).status).toBe(200)
    await waitUntilCounted(harness)
    expect(await reasons()).toEqual([10, 8, unreadable])
    expect(await warningsOf()).toEqual([])
    expect(await dayOf(lobby.id)).toMatchObject({ attendance: 8 })
    await patch(`datasets/${id}`, { space_map: { 'Levl 7': null } })
    await waitUntilCounted(harness)
    expect(await reasons()).toEqual([10, 6, { space_left_out: 2, ...unreadable }])
    expect(await dayOf(lobby.id)).toMatchObject({ attendance: 6 })

    // A value that was matched by the name of a space stays with it.
    await patch(`spaces/${lobby.id}`, { name: 'Entrance hall' })
    await waitUntilCounted(harness)
    expect(await reasons()).toEqual([10, 6, { space_left_out: 2, ...unreadable }])
    expect(await dayOf(lobby.id)).toMatchObject({ attendance: 6 })
    expect((await read(`datasets/${id}`)).space_map).toEqual({ 'Levl 7': null, Lobby: lobby.id })
  })

  it('of spaces create none where one would exceed the limit of the workspace, and name it', async () => {
    const [before] = await harness.rows<{ spaces: number }>('SELECT count(*)::int AS spaces FROM spaces')
    const limit = (before?.spaces ?? 0) + 2
    const setLimit = 'INSERT INTO platform.quota_limits (subject, quota, maximum) VALUES ($1, $2, $3)'
    await harness.rows(setLimit, [harness.fleet.owner.workspaceId, 'spaces', limit])
    const refreshOf = async (ids: string[]) => {
      const rows = ids.map((id) => [id, `Hall ${id}`, 'Building', 'Mo-Fr 9-17'])
      const source = await harness.createSource(csvOf('Id,Name,Kind,Hours', rows))
      const columns = { external_id: 'Id', name: 'Name', kind: 'Kind', opening_hours: 'Hours' }
      const { id } = await create('datasets', {
        name: 'Halls',
        kind: 'spaces',
        data_source_id: source,
        mapping: columns,
      })
      const isDone = async () => (await jobOf(id))?.state !== 'queued' && (await jobOf(id))?.state !== 'running'
      await eventually(isDone, { description: 'the end of the refresh' })
      return jobOf(id)
    }
    const jobOf = async (id: string) => {
      const [job] = await harness.rows<{ state: string; error: { code: string; message: string } | null }>(
        `SELECT state, error FROM platform.jobs WHERE queue = 'dataset_refresh' AND input ->> 'datasetId' = $1`,
        [id],
      )
      return job
    }
    expect(await refreshOf(['H1', 'H2', 'H3'])).toMatchObject({
      state: 'failed',
      error: { code: 'quota_exceeded', message: expect.stringContaining(`of at most ${limit}`) },
    })
    expect(await read('spaces?external_id=H1')).toEqual([])
    expect(await refreshOf(['H1', 'H2'])).toMatchObject({ state: 'finished' })
    expect(await read('spaces?external_id=H1')).toMatchObject([
      { opening_hours: { mon: { from: '09:00', to: '17:00' } } },
    ])
    // A list that changes spaces creates none.
    expect(await refreshOf(['H2', 'H1'])).toMatchObject({ state: 'finished' })
    expect(await refreshOf(['H2', 'H1', 'H3'])).toMatchObject({ state: 'failed' })
    await harness.rows('DELETE FROM platform.quota_limits')
    await harness.rows(`DELETE FROM platform.jobs WHERE state = 'failed'`)
  })

  it('of spaces with a column for each level add to the spaces of the workspace, and change nothing when repeated', async () => {
    const tower = await space('Tower', 'building')
    const ground = await space('Ground floor', 'floor', { parent_id: tower.id })
    const rows = [
      ['tower', 'ground floor', 40, '120000'],
      ['Tower', '1', 50, '90000'],
      ['Annex', '1', 20, '30000'],
    ]
    const source = await harness.createSource(csvOf('Building,Floor,Seats,Rent', rows))
    const columns = { building: 'Building', floor: 'Floor', capacity: 'Seats', annual_cost: 'Rent' }
    const body = { name: 'Floors', kind: 'spaces', data_source_id: source, mapping: columns }
    const listed = async () => {
      const spaces: { id: string; name: string; parent_id: string; capacity: number }[] = await read('spaces?limit=100')
      const [annex] = spaces.filter(({ name }) => name === 'Annex')
      return spaces
        .filter(({ parent_id: parent }) => parent === tower.id || parent === annex?.id)
        .map(({ id, name, capacity }) => [id === ground.id ? 'known' : 'new', name, capacity])
        .sort()
    }
    const expected = [
      ['known', 'ground floor', 40],
      ['new', '1', 20],
      ['new', '1', 50],
    ]
    const changesOfFirst = 5
    for (let time = 0; time < 2; time++) {
      const { id } = await create('datasets', body)
      await eventually(async () => (await read(`datasets/${id}`)).refreshed_at !== null, { description: 'the list' })
      expect(await listed()).toEqual(expected)
      const { rows: counted, last_refresh_id: refresh } = await read(`datasets/${id}`)
      expect(counted).toMatchObject({ read: 3, unused: [] })
      // The tower and its ground floor get what the list says of them, once.
      expect((await read(`refreshes/${refresh}`)).counts.changes).toBe(time === 0 ? changesOfFirst : 0)
    }
    expect((await read(`spaces/${tower.id}`)).parent_id).toBe(tower.parent_id)
    const withKind = { ...body, mapping: { ...columns, kind: 'Floor' } }
    expect(await harness.call('POST', `${workplace}/datasets`, { body: withKind })).toMatchObject(
      refused('/mapping/kind'),
    )
  })

  it('count a booking on each day that it covers, and its row once', async () => {
    const room = await space('Room 10', 'room', { external_id: 'R10' })
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const rows = Array.from({ length: 6 }, (_, number) => [number, 'R10', `${inDays(-9)}T14:00`, `${inDays(-7)}T10:00`])
    const source = await harness.createSource(
      csvOf('Booking,Room,Start,End,Attended', [
        ...rows.map((row) => [...row, 'no']),
        ...[-9, -8, -7].map((day) => [day, 'R10', `${inDays(day)}T11:00`, `${inDays(day)}T12:00`, 'yes']),
      ]),
    )
    const mapping = { space: 'Room', start: 'Start', end: 'End', checked_in: 'Attended' }
    const { id } = await create('datasets', { name: 'Long', kind: 'bookings', data_source_id: source, mapping })
    await waitUntilCounted(harness)
    expect((await read(`datasets/${id}`)).rows).toMatchObject({ read: 9, used: 9, unused: [] })
    expect(await read(`datasets/${id}/values`)).toMatchObject([{ value: 'R10', rows: 9 }])
    const days = await read(`no-shows?space_id=${room.id}`)
    expect(days.map(({ no_shows, hours_lost }: Record<string, number>) => [no_shows, hours_lost]).sort()).toEqual([
      [6, 144],
      [6, 60],
      [6, 60],
    ])
  })

  it('add a counted floor to a building by bookings when another floor has no counter', async () => {
    const building = await space('Rhine house', 'building')
    await space('Rhine ground', 'floor', { parent_id: building.id })
    const other = await space('Rhine first', 'floor', { parent_id: building.id })
    const day = '2026-04-07'
    const counted = await harness.createSource(csvOf('Time,Floor,People', [[`${day}T09:00`, 'Rhine ground', 33]]))
    const booked = await harness.createSource(
      csvOf('Floor,Start,End,People', [['Rhine first', `${day}T09:00`, `${day}T10:00`, 18]]),
    )
    const counts = { space: 'Floor', time: 'Time', value: 'People' }
    const bookings = { space: 'Floor', start: 'Start', end: 'End', attendees: 'People' }
    await create('datasets', { name: 'Counters', kind: 'counts', data_source_id: counted, mapping: counts })
    await create('datasets', { name: 'Meetings', kind: 'bookings', data_source_id: booked, mapping: bookings })
    await waitUntilCounted(harness)
    const answerOf = async ({ id }: { id: string }) =>
      (await harness.call('GET', `${workplace}/utilization?space_id=${id}&interval=day&since=${day}&until=2026-04-08`))
        .body
    const ofBuilding = await answerOf(building)
    expect(ofBuilding.data[0]).toMatchObject({ source: 'bookings', peak: 51 })
    expect(ofBuilding.meta.warnings).toEqual([
      expect.stringContaining('On 2026-04-07, the levels of Rhine house are those of bookings or, where it is higher'),
    ])
    expect((await answerOf(other)).meta.warnings).toEqual([])
  })

  it('count no-shows of days that have ended, and have figures up to today where bookings are made ahead', async () => {
    const room = await space('Room 9', 'room', { external_id: 'R9' })
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const booked = (day: string, checkedIn: string) => ['R9', `${day}T09:00`, `${day}T10:00`, checkedIn]
    const before = [...Array(5).fill(booked(inDays(-8), 'yes')), booked(inDays(-8), 'no')]
    const rows = [...before, ...Array(6).fill(booked(inDays(400), ''))].map((row, number) => [number, ...row])
    const source = await harness.createSource(csvOf('Booking,Room,Start,End,Checked in', rows))
    const columns = { space: 'Room', start: 'Start', end: 'End', checked_in: 'Checked in' }
    await create('datasets', { name: 'Bookings', kind: 'bookings', data_source_id: source, mapping: columns })
    await waitUntilCounted(harness)
    for (const range of ['', `&since=${inDays(-30)}&until=${inDays(500)}`])
      expect(await read(`no-shows?space_id=${room.id}${range}`)).toMatchObject([
        { booked: 6, used: 5, no_shows: 1, hours_lost: 1 },
      ])
    const days = await read(`utilization?space_id=${room.id}&interval=day`)
    expect(days.map(({ start }: { start: string }) => start)).toContain(inDays(-8))
  })
})
