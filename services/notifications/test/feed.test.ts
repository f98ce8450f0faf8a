import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { events, startHarness } from './fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

interface Listed {
  id: string
  kind: string
  body: string
  read_at: string | null
}

const list = async (as?: string, query = ''): Promise<{ data: Listed[]; meta: { unread_count: number } }> =>
  (await harness.call('GET', `${events}${query}`, as === undefined ? {} : { as })).body

/** Waits for the notification about a resource. */
async function notificationAbout(id: string, as?: string): Promise<Listed> {
  let found: Listed | undefined
  await eventually(async () => {
    found = (await list(as)).data.find(({ body }) => body.includes(id))
    return found !== undefined
  })
  if (found === undefined) throw new Error('eventually returns only when it is found')
  return found
}

describe('the feed', () => {
  it('has one notification of an event for each user who may read it, and one for the workspace', async () => {
    const viewer = await harness.addMember('viewer')
    const { body: role } = await harness.call('POST', '/v1/auth/admin/roles', {
      body: { name: 'reader of data', scopes: ['data:read', 'notifications:read'] },
    })
    const outsider = await harness.addMember(role.data.role_id)
    const keyId = await harness.createKey('nightly export')
    const notification = await notificationAbout(keyId)
    expect(notification).toMatchObject({
      kind: 'API_KEY_CREATED',
      category: 'security',
      is_critical: true,
      title: 'An API key was created',
      body: `The API key “nightly export” was created. If you do not know of it, ask an administrator to delete the key ${keyId}.`,
      link: `/v1/auth/api-key/${keyId}`,
      read_at: null,
    })
    await notificationAbout(keyId, harness.machine)
    const recipients = await harness.rows<{ recipient_id: string }>(
      'SELECT recipient_id FROM notifications WHERE body LIKE $1 ORDER BY recipient_id',
      [`%${keyId}%`],
    )
    const { workspaceId, ownerId } = harness.fleet.owner
    expect(recipients.map((row) => row.recipient_id)).toEqual([ownerId, viewer, workspaceId].sort())
    expect(recipients.map((row) => row.recipient_id)).not.toContain(outsider)
  })

  it('counts and lists unread notifications, which are read one by one or all at once', async () => {
    const keys = await Promise.all([harness.createKey(), harness.createKey(), harness.createKey()])
    const [{ id } = { id: '' }] = await Promise.all(keys.map((key) => notificationAbout(key)))
    // Fan-outs of earlier events may end later.
    await harness.untilFannedOut(keys.length)
    const before = (await list()).meta.unread_count
    expect((await harness.call('POST', `${events}/${id}/read`)).body.data.read_at).toEqual(expect.any(String))
    expect((await list()).meta.unread_count).toBe(before - 1)
    expect((await list(undefined, '?unread=true')).data.map((one) => one.id)).not.toContain(id)
    const { read } = (await harness.call('POST', `${events}/read-all`)).body.data
    expect(read).toBeGreaterThanOrEqual(2)
    expect(await list(undefined, '?unread=true')).toMatchObject({ data: [], meta: { unread_count: 0 } })
    // The feed of the workspace is another one.
    expect((await list(harness.machine)).meta.unread_count).toBeGreaterThan(0)
  })

  it('hides notifications of kinds that a narrowed credential may not read', async () => {
    const narrow = await harness.fleet.token(harness.fleet.owner, 'notifications:read data:read')
    const keyId = await harness.createKey()
    await notificationAbout(keyId, harness.machine)
    expect(await list(narrow)).toMatchObject({ data: [], meta: { unread_count: 0 } })
    const refused = await harness.call('POST', `${events}/read-all`, { as: narrow })
    expect([refused.status, refused.body.required_scope]).toEqual([403, 'notifications:write'])
  })

  it('has no second notification when an event arrives again', async () => {
    const keyId = await harness.createKey()
    await notificationAbout(keyId)
    await harness.untilFannedOut(1)
    const [{ id: eventId } = { id: '' }] = await harness.rows<{ id: string }>(
      `SELECT id FROM platform.outbox WHERE kind = 'API_KEY_CREATED' AND data ->> 'id' = $1`,
      [keyId],
      'auth',
    )
    // As after a loss of the broker's storage, and as if the inbox had forgotten it.
    await harness.rows(`DELETE FROM platform.inbox`)
    await harness.rows(`UPDATE platform.jobs SET state = 'queued', detail = '{}', finished_at = NULL WHERE id = $1`, [
      eventId,
    ])
    await eventually(async () => {
      const [job] = await harness.rows<{ state: string }>('SELECT state FROM platform.jobs WHERE id = $1', [eventId])
      return job?.state === 'finished'
    })
    const [row] = await harness.rows<{ count: number; recipients: number }>(
      'SELECT count(*)::int AS count, count(DISTINCT recipient_id)::int AS recipients FROM notifications WHERE event_id = $1',
      [eventId],
    )
    expect(row?.count).toBe(row?.recipients)
  })
})

describe('the stream', () => {
  /** Opens the stream and returns a function that reads the next event. */
  async function openStream(lastEventId?: string) {
    const abort = new AbortController()
    const response = await fetch(`${harness.fleet.baseUrl}${events}/stream`, {
      headers: {
        authorization: `Bearer ${harness.user}`,
        'x-workspace-key': harness.fleet.owner.workspaceId,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      signal: abort.signal,
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let buffered = ''
    return {
      close: () => abort.abort(),
      async next(): Promise<{ id: string; data: Listed }> {
        while (true) {
          const match = /(?:^|\n)id: ([\w-]+)\ndata: ([^\n]+)\n\n/.exec(buffered)
          if (match !== null) {
            buffered = buffered.slice(match.index + match[0].length)
            return { id: match[1] ?? '', data: JSON.parse(match[2] ?? '') }
          }
          const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
          if (done) throw new Error('the stream ended')
          buffered += value
        }
      },
    }
  }

  it('sends notifications as they arrive, and to a client that reconnects those since', async () => {
    const stream = await openStream()
    const first = await harness.createKey('first')
    const received = await stream.next()
    expect(received.data.body).toContain(first)
    stream.close()
    const missed = await harness.createKey('second')
    await notificationAbout(missed)
    const resumed = await openStream(received.id)
    expect((await resumed.next()).data.body).toContain(missed)
    const third = await harness.createKey('third')
    expect((await resumed.next()).data.body).toContain(third)
    resumed.close()
  })

  it('rejects a Last-Event-ID when it is no id of an event of this feed', async () => {
    const stream = await openStream()
    await harness.createKey('for another feed')
    const { id } = await stream.next()
    stream.close()
    const resume = (lastEventId: string, as?: string) =>
      harness.call('GET', `${events}/stream`, {
        ...(as === undefined ? {} : { as }),
        headers: { 'last-event-id': lastEventId, 'x-workspace-key': harness.fleet.owner.workspaceId },
      })
    const ofPrincipal = await harness.fleet.token(harness.fleet.owner)
    for (const response of [await resume('ntf_1'), await resume('12'), await resume(id, ofPrincipal)])
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor', errors: [{ pointer: 'Last-Event-ID' }] },
      })
  })
})
