import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { zipSync } from 'fflate'
import { calendarOf, meeting } from '../intake/calendar/write-calendar.ts'
import { closeSites, respond, startSite } from '../support/sources/http-site.ts'

const fleet = await startTestFleet({ services: ['auth', 'data'], env: { data: { ENVIRONMENT: 'development' } } })
afterAll(async () => {
  await fleet.stop()
  await closeSites()
})

const request = (method: string, path: string, body?: unknown) =>
  fleet.request(method, path, { as: fleet.owner.apiKey, body })

const send = (path: string, rawBody: string | Uint8Array<ArrayBuffer>, contentType = 'text/calendar') =>
  fleet.request('POST', path, { as: fleet.owner.apiKey, rawBody, headers: { 'content-type': contentType } })

async function createSource(source: Record<string, unknown>): Promise<string> {
  const { status, body } = await request('POST', '/v1/data/sources', { name: 'Bookings', ...source })
  if (status !== 201) throw new Error(`failed to create a source: ${JSON.stringify(body)}`)
  return body.data.data_source_id
}

const keysOf = async (id: string) =>
  (await request('GET', `/v1/data/sources/${id}/records`)).body.data.map(({ key }: { key: string }) => key).sort()

const series = meeting('RRULE:FREQ=DAILY;COUNT=2', 'SUMMARY:Plan', 'ORGANIZER:mailto:a@example.test')
const booking = ['UID:b', 'DTSTART:20260105T110000Z', 'DURATION:PT1H', 'SUMMARY:Call']
const seriesKeys = ['2026-01-05T08:00:00Z', '2026-01-06T08:00:00Z'].map((start) => `m1@example.test/${start}`)

describe('a calendar', () => {
  it('is shown in a preview as bookings', async () => {
    const { status, body } = await send('/v1/data/preview', calendarOf(series, booking, ['UID:c']))
    expect([status, body.data]).toMatchObject([
      200,
      {
        format: { type: 'icalendar', encoding: 'utf-8', delimiter: null, header_row: null },
        columns: [
          { name: 'uid', type: 'string' },
          { name: 'start', type: 'timestamp' },
          { name: 'end', type: 'timestamp' },
          ...['summary', 'location', 'room', 'organizer'].map((name) => ({ name, type: 'string' })),
          { name: 'attendees', type: 'number' },
          { name: 'status', type: 'string' },
          { name: 'all_day', type: 'boolean' },
          ...['recurrence_id', 'created', 'updated'].map((name) => ({ name, type: 'timestamp' })),
        ],
        row_count: 4,
        refused: [{ reason: 'event: has no DTSTART' }],
        warnings: [],
        suggestions: { kind: 'bookings', timestamp: ['start'] },
      },
    ])
  })

  it('without events is refused by a preview', async () => {
    const { status, body } = await send('/v1/data/preview', calendarOf())
    expect([status, body.detail]).toEqual([400, 'The calendar has no events'])
  })

  it.each<[string, (text: string) => string | Uint8Array<ArrayBuffer>, string]>([
    ['as it is', (text) => text, 'text/calendar'],
    ['in gzip', (text) => Uint8Array.from(gzipSync(text)), 'application/gzip'],
    ['in zip', (text) => Uint8Array.from(zipSync({ 'rooms.ics': Buffer.from(text) })), 'application/zip'],
    ['of an unknown type', (text) => text, 'application/octet-stream'],
  ])('uploaded again %s changes nothing, and a moved occurrence stays its record', async (_, pack, type) => {
    const id = await createSource({ provider: 'upload' })
    const upload = async (...events: string[][]) =>
      (await send(`/v1/data/sources/${id}/records`, pack(calendarOf(...events)), type)).body.data.counts
    expect(await upload(series, booking)).toMatchObject({ created: 3, updated: 0, failed: 0 })
    expect(await upload(series, booking)).toMatchObject({ created: 0, updated: 0, failed: 0 })
    const moved = ['UID:m1@example.test', 'RECURRENCE-ID:20260106T080000Z', 'DTSTART:20260107T080000Z']
    const later = [...booking.slice(0, 1), 'DTSTART:20260108T110000Z', ...booking.slice(2)]
    expect(await upload(series, moved, later)).toMatchObject({ created: 0, updated: 2, failed: 0 })
    expect(await keysOf(id)).toEqual(['b', ...seriesKeys])
  })

  it('is read by a key field, if the source names one', async () => {
    const id = await createSource({ provider: 'upload', config: { key: 'uid' } })
    await send(`/v1/data/sources/${id}/records`, calendarOf(series, booking))
    expect(await keysOf(id)).toEqual(['b', 'm1@example.test'])
  })

  it('at a web address is read twice without a change, and its format is pinned', async () => {
    let text = calendarOf(series, booking)
    const { url } = await startSite((response, sent) => respond('text/calendar; charset=utf-8', text)(response, sent))
    const id = await createSource({ provider: 'http', config: { url } })
    const sync = async () => {
      const { body } = await request('POST', `/v1/data/sources/${id}/sync/start`, { mode: 'full' })
      return eventually(
        async () => {
          const { data } = (await request('GET', `/v1/data/syncs/${body.data.id}`)).body
          return data.finished_at !== null && data
        },
        { description: 'the end of the sync' },
      )
    }
    expect(await sync()).toMatchObject({ status: 'finished', counts: { created: 3, failed: 0 } })
    expect(await sync()).toMatchObject({ counts: { created: 0, updated: 0, deleted: 0 } })
    const { config } = (await request('GET', `/v1/data/sources/${id}`)).body.data
    expect(config.format).toMatchObject({ type: 'icalendar', columns: { start: { type: 'timestamp' } } })
    text = 'uid,start\na,2026-01-05\n'
    expect(await sync()).toMatchObject({ status: 'failed' })
    expect(await keysOf(id)).toEqual(['b', ...seriesKeys])
  })
})
