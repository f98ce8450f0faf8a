import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { serviceCaller } from '@wp/events'
import { createMailSender, createMailTransport, enqueueMail, type MailSenderOptions, renderMail } from '@wp/mail'
import type { Worker } from '@wp/runtime'
import { createSealer } from '@wp/service'
import { eventually, startMailbox, startMisbehavingSmtpServer } from '@wp/testkit'
import { startTestAuth } from '../fixture/auth.ts'

const senders: Worker[] = []
// Without SMTP_URL the service itself sends no mails.
const auth = await startTestAuth()
const mailbox = await startMailbox({ maxMails: 500 })
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.stop()
  mailbox.setRecipientCheck(() => undefined)
  mailbox.clear()
  await auth.rows('DELETE FROM mails')
})
afterAll(async () => {
  await auth.stop()
  await mailbox.close()
})

async function startSender(more: Partial<MailSenderOptions> = {}): Promise<Worker> {
  const { database, bus, sealer, log, metrics } = auth.context
  const transport = createMailTransport({ url: mailbox.url, from: 'Platform <no-reply@example.com>' })
  const fastTimings = { backoff: { firstMs: 10, maxMs: 20 }, pollMs: 20 }
  const created = createMailSender({
    database,
    bus,
    service: 'auth',
    sealer,
    transport,
    log,
    metrics,
    ...fastTimings,
    ...more,
  })
  senders.push(created)
  await created.start()
  return created
}

async function enqueue(to: string, seconds = 60, context = auth.context): Promise<void> {
  const caller = serviceCaller('auth', { shard: auth.context.shard, workspaceId: null, requestId: 'test' })
  const template = { subject: 'Hello', blocks: [{ text: `To ${to}` }] }
  const expiresAt = new Date(Date.now() + seconds * 1000)
  await auth.context.database.transact(caller, (tx) => enqueueMail(context, tx, { to, template: template, expiresAt }))
}

const listQueued = async () =>
  await auth.rows<{ tries: number; sealed: string; due: boolean; state: string }>(
    'SELECT tries, sealed, next_try_at <= now() AS due, state FROM mails',
  )
const waitUntilEmpty = () =>
  eventually(async () => (await listQueued()).length === 0, { description: 'an empty queue' })

describe('the mail queue', () => {
  it('stores mails sealed', async () => {
    await enqueue('ada@example.com')
    const [{ sealed } = { sealed: '' }] = await listQueued()
    expect(sealed).toMatch(/^v1\./)
    expect(sealed).not.toMatch(/ada|Hello/)
  })

  it('sends a mail on the wake of the commit and removes it', async () => {
    let queries = 0
    const counted = () => {
      queries += 1
    }
    auth.context.database.worker.on('release', counted)
    // The first pass makes one query, which finds no mail; the next poll would come after an hour.
    await startSender({ pollMs: 3_600_000 })
    await eventually(() => queries > 0)
    auth.context.database.worker.off('release', counted)
    await enqueue('ada@example.com')
    const mail = await mailbox.waitFor(({ to }) => to === 'ada@example.com')
    expect(mail.from).toBe('no-reply@example.com')
    expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated' })
    await waitUntilEmpty()
  })

  it('looks for a mail when it is due, not at the next poll', async () => {
    await enqueue('ada@example.com')
    await auth.rows(`UPDATE mails SET next_try_at = now() + interval '2 seconds'`)
    await startSender({ pollMs: 3_600_000 })
    await mailbox.waitFor(({ to }) => to === 'ada@example.com')
  })

  it('sends mails sealed with the previous key', async () => {
    const previousKey = randomBytes(32).toString('base64')
    await enqueue('ada@example.com', 60, { ...auth.context, sealer: createSealer(previousKey) })
    const [{ sealed } = { sealed: '' }] = await listQueued()
    await startSender({ sealer: createSealer(randomBytes(32).toString('base64'), previousKey) })
    expect(sealed).toMatch(/^v1\./)
    await mailbox.waitFor(({ to }) => to === 'ada@example.com')
  })

  it('removes expired mails without sending them', async () => {
    await enqueue('late@example.com', -1)
    await startSender()
    await waitUntilEmpty()
    expect(mailbox.mails).toEqual([])
  })

  it('keeps mails until they expire when no mail server is configured', async () => {
    await startSender({ transport: undefined })
    await enqueue('ada@example.com')
    await enqueue('late@example.com', -1)
    await eventually(async () => (await listQueued()).length === 1)
    expect((await listQueued())[0]?.tries).toBe(0)
  })
})

describe('the mail sender', () => {
  it('retries a mail when the server rejects it temporarily', async () => {
    let tries = 0
    mailbox.setRecipientCheck(() => {
      tries += 1
      return tries < 3 ? { code: 450, text: 'later' } : undefined
    })
    await startSender()
    await enqueue('ada@example.com')
    await mailbox.waitFor(({ to }) => to === 'ada@example.com')
    await waitUntilEmpty()
    expect([tries, mailbox.mails.length]).toEqual([3, 1])
  })

  it('removes a mail when the server rejects it permanently', async () => {
    let tries = 0
    mailbox.setRecipientCheck(() => {
      tries += 1
      return { code: 550, text: 'no such user' }
    })
    await startSender()
    await enqueue('unknown@example.com')
    await waitUntilEmpty()
    expect([tries, mailbox.mails]).toEqual([1, []])
  })

  it('continues when an unavailable mail server comes back', async () => {
    const stoppedMailbox = await startMailbox()
    await stoppedMailbox.close()
    const { port } = new URL(stoppedMailbox.url)
    await startSender({ transport: createMailTransport({ url: stoppedMailbox.url, from: 'a@example.com' }) })
    await enqueue('ada@example.com')
    await eventually(async () => ((await listQueued())[0]?.tries ?? 0) > 1)
    const restartedMailbox = await startMailbox({ port: Number(port) })
    await restartedMailbox.waitFor(({ to }) => to === 'ada@example.com')
    await waitUntilEmpty()
    await restartedMailbox.close()
  })

  it('aborts and retries an attempt when the server does not respond', async () => {
    let tries = 0
    mailbox.setRecipientCheck(() => {
      tries += 1
      return new Promise(() => {})
    })
    const events: unknown[] = []
    const log = { warn: ({ event }: { event?: unknown }) => void events.push(event), error: () => {} }
    const sender = await startSender({ timeoutMs: 300, log })
    await enqueue('ada@example.com')
    await eventually(() => tries > 1, { description: 'a second attempt' })
    // The first attempt was aborted, not only superseded after its lease.
    expect([...new Set(events)]).toEqual(['mail.postponed'])
    await sender.stop()
    // On a busy machine, content that is sent within so short a limit may be uncertain: this sender has the default.
    mailbox.setRecipientCheck(() => undefined)
    await startSender()
    await mailbox.waitFor(({ to }) => to === 'ada@example.com')
    await waitUntilEmpty()
  })

  it('sends a mail when the lease of a dead sender has ended', async () => {
    await enqueue('ada@example.com')
    await auth.rows(`UPDATE mails SET tries = 1, next_try_at = now() + interval '2 seconds'`)
    await startSender()
    await mailbox.waitFor(({ to }) => to === 'ada@example.com')
    await waitUntilEmpty()
  })

  it('sends no content when another sender has claimed the mail since', async () => {
    let release = () => {}
    const heldResponse = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined)
    })
    mailbox.setRecipientCheck(() => heldResponse)
    await startSender()
    await enqueue('ada@example.com')
    await eventually(async () => (await listQueued())[0]?.tries === 1)
    await auth.rows(`UPDATE mails SET tries = 2, next_try_at = now() + interval '1 hour'`)
    release()
    await senders.splice(0)[0]?.stop()
    expect(await listQueued()).toMatchObject([{ tries: 2, state: 'queued' }])
    expect(mailbox.mails).toEqual([])
  })

  it('sends a mail once and keeps it as uncertain when the server reads the content and closes the connection', async () => {
    const server = await startMisbehavingSmtpServer()
    server.misbehave('contentClose')
    await startSender({ transport: createMailTransport({ url: server.url, from: 'a@example.com' }) })
    await enqueue('ada@example.com')
    await eventually(async () => (await listQueued())[0]?.state === 'uncertain')
    // A later mail shows that the queue goes on without the uncertain one.
    server.misbehave(undefined)
    await auth.rows(`UPDATE mails SET next_try_at = now() - interval '1 minute'`)
    await enqueue('grace@example.com')
    await eventually(() => server.contents.length === 1)
    await eventually(async () => (await listQueued()).length === 1)
    expect(server.contents).toEqual([expect.stringContaining('grace@example.com')])
    expect(await listQueued()).toMatchObject([{ tries: 1, state: 'uncertain' }])
    await server.close()
  })

  it('sends a mail again when the server rejects its content for now', async () => {
    const server = await startMisbehavingSmtpServer()
    server.misbehave('contentLater')
    await startSender({ transport: createMailTransport({ url: server.url, from: 'a@example.com' }) })
    await enqueue('ada@example.com')
    await eventually(() => server.contents.length > 0)
    server.misbehave(undefined)
    await waitUntilEmpty()
    // A session that began before may have ended after that, so that its content counts too.
    expect([1, 2]).toContain(server.contents.length)
    await server.close()
  })

  it('does not send a mail again when its sender died after the server may have got the content', async () => {
    await enqueue('ada@example.com')
    await auth.rows(`UPDATE mails SET state = 'sending', tries = 1, next_try_at = now() - interval '1 second'`)
    await startSender()
    await eventually(async () => (await listQueued())[0]?.state === 'uncertain')
    await enqueue('grace@example.com')
    await mailbox.waitFor(({ to }) => to === 'grace@example.com')
    expect(mailbox.mails.map(({ to }) => to)).toEqual(['grace@example.com'])
  })

  it('sends each mail once when several senders run', async () => {
    const addresses = Array.from({ length: 60 }, (_, n) => `one${n}@example.com`)
    await Promise.all(addresses.map((to) => enqueue(to)))
    await Promise.all([startSender(), startSender(), startSender()])
    await waitUntilEmpty()
    expect(mailbox.mails.map(({ to }) => to).sort()).toEqual(addresses.sort())
  })

  it('completes mails in flight when it is stopped', async () => {
    let release = () => {}
    const heldResponse = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined)
    })
    mailbox.setRecipientCheck(() => heldResponse)
    const sender = await startSender()
    await enqueue('ada@example.com')
    await eventually(async () => (await listQueued())[0]?.tries === 1)
    const stopped = sender.stop()
    release()
    await stopped
    expect([mailbox.mails.length, (await listQueued()).length]).toEqual([1, 0])
  })
})

describe('a rendered mail', () => {
  it('has the same content in plain text and in escaped HTML', () => {
    const link = 'https://example.com/?a=1&b="2"'
    const template = {
      subject: 'A <b>',
      blocks: [{ text: '1 < 2' }, { code: '012345' }, { link, label: 'Open & see' }],
    }
    const { subject, text, html } = renderMail(template)
    expect([subject, text]).toEqual([
      'A <b>',
      `1 < 2\n\n    012345\n\nOpen & see:\n${link}\n\n-- \nWorkspace platform\n`,
    ])
    expect(html).toContain('1 &lt; 2')
    expect(html).toMatch(/href="https:\/\/example\.com\/\?a=1&amp;b=&quot;2&quot;"[^>]*>Open &amp; see/)
    expect(html).toContain('<title>A &lt;b&gt;</title>')
  })
})
