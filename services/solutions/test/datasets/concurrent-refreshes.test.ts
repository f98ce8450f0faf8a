import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Pool } from 'pg'
import { readerVersion } from '../../src/datasets/read-row.ts'
import { waitUntilCounted } from '../fixture/company.ts'
import { csvOf, type Harness, startHarness } from '../fixture/harness.ts'

const workplace = '/v1/solutions/workplace'
const headers = { 'content-type': 'text/csv' }

let harness: Harness
beforeAll(async () => {
  // Jobs of one dataset could run beside each other.
  harness = await startHarness({ WORKPLACE_CONCURRENCY: '4' })
})
afterAll(() => harness?.stop())

const swipes = (batch: number) =>
  csvOf(
    'Badge,Door,Time',
    Array.from({ length: 50 }, (_, row) => [`p${row}`, 'North', `2026-03-${String(2 + batch).padStart(2, '0')}T09:00`]),
  )

it('reads every row once where a source changes while its dataset is refreshed', async () => {
  const site = { name: 'North', kind: 'site', external_id: 'North' }
  expect((await harness.call('POST', `${workplace}/spaces`, { body: site })).status).toBe(201)
  const source = await harness.createSource(swipes(0))
  const mapping = { person: 'Badge', space: 'Door', time: 'Time' }
  const body = { name: 'Badges', kind: 'badge_events', data_source_id: source, mapping }
  const { id } = (await harness.call('POST', `${workplace}/datasets`, { body })).body.data
  for (let batch = 1; batch <= 20; batch++) {
    const rawBody = swipes(batch)
    const sent = await harness.call('POST', `/v1/data/sources/${source}/records`, { rawBody, headers })
    expect(sent.status).toBe(200)
  }
  const isRead = async () => (await harness.rows('SELECT FROM datasets WHERE rows_read = 1050')).length === 1
  await waitUntilCounted(harness, isRead)
  const { data } = (await harness.call('GET', `${workplace}/datasets/${id}`)).body
  expect(data.rows).toEqual({ read: 1050, used: 1050, unused: [] })
  const days = await harness.rows('SELECT DISTINCT attendance FROM space_days')
  expect(days).toEqual([{ attendance: 50 }])
})

it('erases a dataset with its figures when its source is deleted', async () => {
  const site = { name: 'Annex', kind: 'site', external_id: 'Annex' }
  const { id: annex } = (await harness.call('POST', `${workplace}/spaces`, { body: site })).body.data
  const figures = () => harness.rows('SELECT FROM space_days WHERE space_id = $1 AND attendance > 0', [annex])
  const rawBody = csvOf(
    'Badge,Door,Time',
    [0, 1, 2, 3, 4, 5].map((person) => [`a${person}`, 'Annex', '2026-03-03T09:00']),
  )
  const second = await harness.createSource(rawBody)
  const mapping = { person: 'Badge', space: 'Door', time: 'Time' }
  const body = { name: 'Annex', kind: 'badge_events', data_source_id: second, mapping }
  const created = (await harness.call('POST', `${workplace}/datasets`, { body })).body.data
  await waitUntilCounted(harness, async () => (await figures()).length === 1)
  // A feed that is not read is closed after 30 days.
  const data = new Pool({ connectionString: harness.fleet.databases.get('data')?.adminUrl ?? '' })
  expect((await data.query('DELETE FROM row_feeds WHERE data_source_id = $1', [second])).rowCount).toBe(1)
  await data.end()
  expect((await harness.call('DELETE', `/v1/data/sources/${second}`)).status).toBe(200)
  const isGone = async () => (await harness.call('GET', `${workplace}/datasets/${created.id}`)).status === 404
  await waitUntilCounted(harness, isGone)
  expect(await figures()).toEqual([])
  expect(await harness.rows('SELECT FROM fact_segments WHERE dataset_id = $1', [created.id])).toEqual([])
  expect(await harness.audit(created.id)).toContainEqual(expect.objectContaining({ action: 'dataset.deleted' }))
})

it('counts a place named as a word for home only where it is mapped or a space', async () => {
  const list = csvOf('Name,Day,Place', [
    ...[0, 1, 2, 3, 4, 5].map((person) => [`p${person}`, '2026-03-03', 'HO']),
    ['p6', '2026-03-03', 'Dom'],
    ['p7', '2026-03-03', 'North'],
  ])
  const source = await harness.createSource(list)
  const mapping = { person: 'Name', date: 'Day', space: 'Place' }
  const body = { name: 'List', kind: 'attendance_days', data_source_id: source, mapping }
  const { id } = (await harness.call('POST', `${workplace}/datasets`, { body })).body.data
  const view = async () => (await harness.call('GET', `${workplace}/datasets/${id}`)).body.data.rows
  await waitUntilCounted(harness, async () => (await view()).read === 8)
  expect(await view()).toEqual({ read: 8, used: 1, unused: [{ reason: 'worked_at_home', rows: 7, example: 'HO' }] })
  const { data } = (await harness.call('GET', `${workplace}/datasets/${id}/values?mapped=false`)).body
  expect(data).toEqual([])
  const site = { name: 'Head office', kind: 'site', external_id: 'HO' }
  const { id: office } = (await harness.call('POST', `${workplace}/spaces`, { body: site })).body.data
  await harness.call('PATCH', `${workplace}/datasets/${id}`, { body: { space_map: { Dom: office } } })
  expect(await view()).toEqual({ read: 8, used: 8, unused: [] })
  await waitUntilCounted(harness)
  const rows = await harness.rows('SELECT attendance FROM space_days WHERE space_id = $1 AND attendance > 0', [office])
  expect(rows).toEqual([{ attendance: 7 }])
})

it('reads the rows of all datasets again when an older version of the reader has read one that changes', async () => {
  const [badges] = await harness.rows<{ id: string; source: string }>(
    "SELECT id, data_source_id AS source FROM datasets WHERE kind = 'badge_events'",
  )
  const send = (batch: number) =>
    harness.call('POST', `/v1/data/sources/${badges?.source}/records`, { rawBody: swipes(batch), headers })
  const readAll = (badgeRows: number) => async () =>
    (
      await harness.rows('SELECT FROM datasets WHERE rows_read IN ($1, 8) AND reader_version = $2', [
        badgeRows,
        readerVersion,
      ])
    ).length === 2
  await harness.rows('UPDATE datasets SET reader_version = -1, rows_read = 7')
  await send(21)
  await waitUntilCounted(harness, readAll(1100))
  const attendance = 'SELECT DISTINCT attendance FROM space_days JOIN spaces ON spaces.id = space_id'
  expect(await harness.rows(`${attendance} WHERE external_id = 'North' AND day > '2026-03-03'`)).toEqual([
    { attendance: 50 },
  ])
  // What a newer version has read is not read again from the start, and the newer one is told of it.
  await harness.rows('UPDATE datasets SET reader_version = 99')
  const [before] = await harness.rows('SELECT feed_generation FROM datasets WHERE id = $1', [badges?.id])
  await send(22)
  const newer = async () => (await harness.rows('SELECT FROM datasets WHERE rows_read = 1150')).length === 1
  await waitUntilCounted(harness, newer)
  const versions = await harness.rows('SELECT reader_version FROM datasets ORDER BY reader_version')
  expect(versions).toEqual([{ reader_version: readerVersion }, { reader_version: 99 }])
  expect(await harness.rows('SELECT feed_generation FROM datasets WHERE id = $1', [badges?.id])).toEqual([before])
})

it('decides by the whole column of check-ins, also of files that come later, what a blank says', async () => {
  const site = { name: 'Desks', kind: 'site', external_id: 'Desks' }
  expect((await harness.call('POST', `${workplace}/spaces`, { body: site })).status).toBe(201)
  const bookings = (days: Record<number, string[]>) =>
    csvOf(
      'Booking,Space,Start,End,Checked in,Cancelled',
      Object.entries(days).flatMap(([day, marks]) =>
        marks.map((mark, at) => {
          const times = [`2026-03-0${day}T09:00`, `2026-03-0${day}T10:00`]
          return [`${day}-${mark}-${at}`, 'Desks', ...times, mark, mark === 'Gone' ? 'yes' : 'no']
        }),
      ),
    ).replaceAll('Gone', '')
  const [half, blank] = [[...Array(10).fill('Yes'), ...Array(5).fill('')], Array(20).fill('')]
  const counted = [...Array(30).fill('Yes'), ...Array(25).fill(''), 'No', ...Array(99).fill('Gone')]
  // Exported on the third, with bookings ahead.
  const source = await harness.createSource(bookings({ 1: blank, 2: counted, 3: half, 4: blank, 9: [''] }))
  const mapping = { space: 'Space', start: 'Start', end: 'End', checked_in: 'Checked in', cancelled: 'Cancelled' }
  const body = { name: 'Desks', kind: 'bookings', data_source_id: source, mapping }
  expect((await harness.call('POST', `${workplace}/datasets`, { body })).status).toBe(201)
  const used = (day: number, figures: string) => async () =>
    (await harness.rows(`SELECT FROM booking_days WHERE day = '2026-03-0${day}' AND ${figures}`)).length === 1
  await waitUntilCounted(harness, used(2, 'used = 30 AND no_shows = 26 AND unknown = 0 AND released = 99'))
  const send = async (days: Record<number, string[]>) => {
    const path = `/v1/data/sources/${source}/records`
    expect((await harness.call('POST', path, { rawBody: bookings(days), headers })).status).toBe(200)
  }
  for (const day of [1, 4]) await waitUntilCounted(harness, used(day, 'no_shows = 0 AND unknown = 20'))
  await waitUntilCounted(harness, used(3, 'used = 10 AND no_shows = 0 AND unknown = 5'))
  await send({ 9: half })
  await waitUntilCounted(harness, used(4, 'no_shows = 20 AND unknown = 0'))
  await waitUntilCounted(harness, used(3, 'used = 10 AND no_shows = 5 AND unknown = 0'))
  await send({ 9: Array(10).fill('No') })
  await waitUntilCounted(harness, used(9, 'no_shows = 10 AND unknown = 6'))
  await waitUntilCounted(harness, used(2, 'used = 30 AND no_shows = 1 AND unknown = 25'))
})

it('counts bookings that end when they begin, and tells of them', async () => {
  const source = await harness.createSource(
    csvOf(
      'Space,From,To',
      [1, 2].map((day) => ['Desks', ...Array(2).fill(`2026-05-0${day}`)]),
    ),
  )
  const mapping = { space: 'Space', start: 'From', end: 'To' }
  const body = { name: 'Days alone', kind: 'bookings', data_source_id: source, mapping }
  const { id } = (await harness.call('POST', `${workplace}/datasets`, { body })).body.data
  await waitUntilCounted(
    harness,
    async () => (await harness.rows('SELECT FROM datasets WHERE id = $1 AND rows_read = 2', [id])).length === 1,
  )
  const { rows } = (await harness.call('GET', `${workplace}/datasets/${id}`)).body.data
  expect(rows).toMatchObject({ used: 2, unused: [], incomplete: [{ reason: 'without_length', rows: 2 }] })
  const told =
    'Some bookings of the dataset "Days alone" end when they begin: they count as bookings, and take no time.'
  const { data: spaces } = (await harness.call('GET', `${workplace}/spaces`)).body
  const warningsOf = async (path: string) => (await harness.call('GET', `${workplace}/${path}`)).body.meta.warnings
  for (const { id: space, name } of spaces)
    for (const path of [`utilization?space_id=${space}`, `no-shows?space_id=${space}`])
      expect({ name, path, has: (await warningsOf(path)).includes(told) }).toEqual({
        name,
        path,
        has: name === 'Desks',
      })
})

it.each([
  ['annual_cost', 'Miete mtl. (€)'],
  ['annual_cost', 'Rent €/m²'],
  ['area_m2', 'Area (sq ft)'],
])('refuses a list of spaces when its %s is %s', async (role, column) => {
  const source = await harness.createSource(csvOf(`Floor,${column}`, [['A', '1000']]))
  const body = { name: 'List', kind: 'spaces', data_source_id: source, mapping: { floor: 'Floor', [role]: column } }
  const { status, body: refused } = await harness.call('POST', `${workplace}/datasets`, { body })
  expect({ status, pointer: refused.errors[0].pointer }).toEqual({ status: 400, pointer: `/mapping/${role}` })
})

it('refuses a dataset when its source has as many as it feeds, also of those created at once', async () => {
  const source = await harness.createSource(swipes(0))
  const body = {
    name: 'Copy',
    kind: 'counts',
    data_source_id: source,
    mapping: { space: 'Door', time: 'Time', value: 'Badge' },
  }
  const create = () => harness.call('POST', `${workplace}/datasets`, { body })
  const created = await Promise.all(Array.from({ length: 13 }, create))
  const refused = created.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(3)
  for (const { status, body: answer } of refused)
    expect({ status, pointer: answer.errors?.[0]?.pointer }).toEqual({ status: 400, pointer: '/data_source_id' })
})
