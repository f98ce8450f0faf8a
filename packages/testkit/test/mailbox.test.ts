import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createMailboxHandler, findFreePort, type Mailbox, type ReceivedMail, startMailbox } from '../src/index.ts'

let mailbox: Mailbox
const subjects: string[] = []
beforeAll(async () => {
  mailbox = await startMailbox({ maxMails: 3, onMail: ({ subject }) => void subjects.push(subject) })
})
afterAll(() => mailbox.close())

/** Sends a mail over SMTP. Returns the reply codes. */
async function deliver(lines: readonly string[], to = 'ada@example.com'): Promise<string[]> {
  const socket = connect(Number(new URL(mailbox.url).port), '127.0.0.1').setEncoding('utf8')
  const replies: string[] = []
  const next = async () => {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      const text = String(chunk)
      if (/^\d{3} /m.test(text)) return text.trim()
    }
    throw new Error('the server closed the connection')
  }
  await next()
  const message = ['Subject: Hello', 'From: no-reply@example.com', `To: ${to}`, '', ...lines, '.'].join('\r\n')
  for (const command of ['EHLO me', 'MAIL FROM:<no-reply@example.com>', `RCPT TO:<${to}>`, 'DATA', message]) {
    socket.write(`${command}\r\n`)
    const reply = await next()
    replies.push(reply.slice(0, 3))
    if (reply.startsWith('5') || reply.startsWith('4')) break
  }
  socket.destroy()
  return replies
}

describe('a mailbox', () => {
  it('stores mails and extracts link and code', async () => {
    await deliver(['Type this:', '', '    012345', '', 'Or open:', 'https://example.com/link?token=a_b-c'])
    const mail = await mailbox.waitFor(({ to }) => to === 'ada@example.com')
    expect(mail).toMatchObject({
      from: 'no-reply@example.com',
      subject: 'Hello',
      code: '012345',
      link: 'https://example.com/link?token=a_b-c',
    })
    expect(subjects).toEqual(['Hello'])
  })

  it('stores only the latest mails', async () => {
    for (const code of ['000001', '000002', '000003', '000004']) await deliver([code])
    expect(mailbox.mails.map(({ code }) => code)).toEqual(['000002', '000003', '000004'])
  })

  it('rejects recipients according to the recipient check', async () => {
    mailbox.setRecipientCheck((to) =>
      to.startsWith('unknown@') ? { code: 550, text: 'unknown recipient' } : undefined,
    )
    expect(await deliver(['x'], 'unknown@example.com')).toEqual(['250', '250', '550'])
    expect((await deliver(['x'])).at(-1)).toBe('250')
    mailbox.setRecipientCheck(() => undefined)
  })
})

describe('the mailbox handler', () => {
  const mail: ReceivedMail = {
    id: 'mail_1',
    from: 'a@example.com',
    to: 'b@example.com',
    subject: '<script>',
    text: 'x',
    html: 'y',
    link: null,
    code: '123456',
    received_at: '2026-01-05T09:30:00.000Z',
    headers: { 'x-secret': 'z' },
  }

  async function get(headers: Record<string, string>, method = 'GET') {
    const server = createServer(createMailboxHandler({ mails: [mail, { ...mail, id: 'mail_2' }] }))
    const port = await findFreePort()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    // fetch cannot set the Host header.
    const asked = request({ port, path: '/dev/mail', method, headers }).end()
    const [response]: IncomingMessage[] = await once(asked, 'response')
    if (response === undefined) throw new Error('no response')
    const body = await text(response)
    server.close()
    return { status: response.statusCode, headers: response.headers, body }
  }

  it('returns JSON, newest first, without header fields', async () => {
    const { headers, body } = await get({ accept: 'application/json' })
    const { headers: _, from: __, ...shown } = mail
    expect(JSON.parse(body)).toEqual({ success: true, data: [{ ...shown, id: 'mail_2' }, shown] })
    expect(headers['cache-control']).toBe('no-store')
  })

  it('returns a page to a browser, in which mail content is escaped', async () => {
    const { headers, body } = await get({ accept: 'text/html,*/*' })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).toContain('123456')
    expect(body).not.toContain('<script>')
  })

  it('rejects methods other than GET and HEAD', async () => {
    expect((await get({}, 'POST')).status).toBe(405)
  })

  it('rejects host names other than loopback', async () => {
    expect((await get({ host: 'evil.example' })).status).toBe(403)
    expect((await get({ host: '127.0.0.1.evil.example' })).status).toBe(403)
    expect((await get({ host: 'localhost:8080' })).status).toBe(200)
  })
})
