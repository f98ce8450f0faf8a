import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { problemResponse } from '@wp/testkit/problem-response'
import { allTime, docs, startExportHarness } from '../fixture/export-harness.ts'
import { newWorkspace } from '../fixture/harness.ts'
import { ApiActivity } from './ocsf-schema.ts'

const audit = await startExportHarness()
afterAll(() => audit.stop())

const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

/** Records four events, a day apart, of two actors. */
async function recordedWorkspace() {
  const caller = newWorkspace()
  const alice = { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' }
  const note = '=cmd|"x", second\r\nline'
  const events = [
    [{ action: 'data_source.created' }, '2026-03-01T10:00:00.000Z'],
    [{ action: 'data_source.updated', actor: alice, changes: { note } }, '2026-03-02T10:00:00.000Z'],
    [{ action: 'data_source.deleted', actor: alice, outcome: 'denied' }, '2026-03-03T10:00:00.000Z'],
    [
      { action: 'data_source.created', targets: [{ type: 'data_source', id: 'src_other' }] },
      '2026-03-04T10:00:00.000Z',
    ],
  ] as const
  for (const [index, [data, occurred_at]] of events.entries()) {
    await audit.publish(caller.workspaceId, data, { event: { occurred_at } })
    await audit.waitForRecords(caller.workspaceId, index + 1)
  }
  const records = (await audit.list('', caller)).body.data.reverse()
  return { caller, alice, records }
}

describe('an export', () => {
  it('has the records of the API as jsonl, in the order of the chain, with its digest and the ends of the chain', async () => {
    const { caller, records } = await recordedWorkspace()
    const id = await audit.start(caller)
    const doc = await audit.waitForEnd(id, caller)
    const { status, headers, body } = await audit.content(id, caller)
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'application/x-ndjson' })
    expect(headers.get('content-disposition')).toBe(`attachment; filename="audit-${id}.jsonl"`)
    expect(linesOf(body)).toEqual(records)
    const sha256 = createHash('sha256').update(body).digest('hex')
    expect(headers.get('etag')).toBe(`"${sha256}"`)
    expect(doc).toEqual({
      id,
      status: 'finished',
      progress: 1,
      format: 'jsonl',
      from: '2000-01-01T00:00:00.000Z',
      to: '2026-06-01T00:00:00.000Z',
      filters: {},
      record_count: 4,
      bytes: Buffer.byteLength(body),
      sha256,
      first_seq: 1,
      last_seq: 4,
      first_hash: records[0].hash,
      last_hash: records[3].hash,
      expires_at: new Date(audit.clock.now + 30 * 86_400_000).toISOString(),
      error: null,
      created_at: expect.any(String),
      started_at: expect.any(String),
      finished_at: expect.any(String),
    })
    expect(await audit.events(id, 'AUDIT_DOC_FINISHED')).toEqual([
      { id, status: 'finished', format: 'jsonl', record_count: 4, sha256 },
    ])
    expect((await audit.call('GET', docs, caller)).body.data).toEqual([doc])
    expect((await audit.call('GET', `${docs}?status=failed`, caller)).body.data).toEqual([])
  })

  it('gives the same content again, and one row a record as csv and one event a record as ocsf', async () => {
    const { caller, records } = await recordedWorkspace()
    const contentOf = async (format: string) => {
      const id = await audit.start(caller, { format })
      await audit.waitForEnd(id, caller)
      return audit.content(id, caller)
    }
    const csv = await contentOf('csv')
    expect(csv.headers.get('content-type')).toBe('text/csv')
    expect(csv.body.split(/\r\n(?=\d|$)/)).toHaveLength(1 + records.length + 1)
    expect(csv.body).toContain(String.raw`"{""note"":""=cmd|\""x\"", second\r\nline""}"`)
    expect((await contentOf('csv')).body).toBe(csv.body)
    const ocsf = linesOf((await contentOf('ocsf')).body)
    for (const event of ocsf) expect(ApiActivity.safeParse(event).error).toBeUndefined()
    expect(ocsf.map(({ metadata }) => metadata.uid)).toEqual(records.map((record: { id: string }) => record.id))
    expect(ocsf.map(({ type_uid }) => type_uid)).toEqual([600301, 600303, 600304, 600301])
  })

  it('contains only records of the range that match every filter', async () => {
    const { caller, alice } = await recordedWorkspace()
    const seqsOf = async (body: Record<string, unknown>) => {
      const id = await audit.start(caller, body)
      const { first_seq, last_seq, record_count } = await audit.waitForEnd(id, caller)
      const seqs = linesOf((await audit.content(id, caller)).body).map(({ seq }) => seq)
      expect([first_seq, last_seq, record_count]).toEqual([seqs[0] ?? null, seqs.at(-1) ?? null, seqs.length])
      return seqs
    }
    const day = (date: number) => `2026-03-0${date}T10:00:00Z`
    expect(await seqsOf({ from: day(2), to: day(4) })).toEqual([2, 3])
    expect(await seqsOf({ filters: { actor: alice.id } })).toEqual([2, 3])
    expect(await seqsOf({ filters: { actor: alice.id, outcome: 'denied' } })).toEqual([3])
    expect(await seqsOf({ filters: { action: 'data_source.created' }, to: day(4) })).toEqual([1])
    expect(await seqsOf({ filters: { target: 'src_other' } })).toEqual([4])
    expect(await seqsOf({ from: day(5) })).toEqual([])
  })

  it('of no records has an empty content, or the header row as csv', async () => {
    const caller = newWorkspace()
    for (const [format, content] of [
      ['jsonl', ''],
      ['csv', expect.stringMatching(/^seq,id,[^\n]*\r\n$/)],
    ] as const) {
      const id = await audit.start(caller, { format })
      expect(await audit.waitForEnd(id, caller)).toMatchObject({ record_count: 0, first_hash: null, last_seq: null })
      expect((await audit.content(id, caller)).body).toEqual(content)
    }
  })

  it('is refused with a pointer to the field at fault', async () => {
    const refuse = (body: Record<string, unknown>) =>
      audit.call('POST', docs, newWorkspace(), { body: { format: 'csv', ...allTime, ...body } })
    const invalid = (pointer: string) => problemResponse(400, 'validation_failed', pointer)
    expect(await refuse({ from: allTime.to, to: allTime.from })).toMatchObject(invalid('/to'))
    expect(await refuse({ format: 'xml' })).toMatchObject(invalid('/format'))
    expect(await refuse({ filters: { actors: 'x' } })).toMatchObject(invalid('/filters/actors'))
  })

  it('is audited when it is started and when it is downloaded', async () => {
    const caller = newWorkspace()
    const id = await audit.start(caller)
    await audit.waitForEnd(id, caller)
    await audit.content(id, caller)
    const recorded = await audit.events(id, 'AUDIT_RECORDED')
    expect(recorded.map(({ action }) => action)).toEqual(['audit_doc.started', 'audit_doc.downloaded'])
  })
})
