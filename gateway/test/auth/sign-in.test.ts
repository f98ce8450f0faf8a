import { createHash, randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { startMailbox, startTestFleet } from '@wp/testkit'

const application = 'https://app.example.com/signed-in'

const mailbox = await startMailbox()
const env = { auth: { SMTP_URL: mailbox.url, REDIRECT_URIS: application } }
const fleet = await startTestFleet({ services: ['auth'], env })
afterAll(async () => {
  await fleet.stop()
  await mailbox.close()
})

/** Requests a sign-in mail as a browser does. */
async function requestMail(body: Record<string, unknown>) {
  mailbox.clear()
  const { status, headers, body: answer } = await fleet.request('POST', '/v1/auth/login', { body })
  const [cookie = ''] = headers.getSetCookie().map((field) => field.split(';', 1)[0] ?? '')
  const mail = await mailbox.waitFor(({ to }) => to === body.email)
  const { pathname, searchParams } = new URL(mail.link ?? '')
  return { status, cookie, mail, loginId: answer.data.login_id, path: pathname, token: searchParams.get('token') ?? '' }
}

const verify = (body: Record<string, unknown>) => fleet.request('POST', '/v1/auth/verify', { body })

describe('sign-in through the edge', () => {
  it('returns a usable token for the code of the mail', async () => {
    const { status, mail, loginId } = await requestMail({ email: 'owner@example.com' })
    expect([status, mail.link?.startsWith(fleet.baseUrl)]).toEqual([202, true])
    const { body } = await verify({ login_id: loginId, code: mail.code })
    const me = await fleet.request('GET', '/v1/auth/me', { as: body.data.access_token })
    expect(me.body.data).toMatchObject({ user_id: fleet.owner.ownerId, email: 'owner@example.com' })
  })

  it('works with the link of the mail: the cookie reaches the page and its form', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const email = 'owner@example.com'
    const mail = await requestMail({ email, redirect_uri: application, code_challenge: challenge })
    const get = (headers: Record<string, string>) =>
      fleet.request('GET', `${mail.path}?token=${mail.token}`, { headers })
    expect((await get({})).body).not.toContain('<form')
    const page = await get({ cookie: mail.cookie })
    expect(page.body).toContain('<form method="post"')
    // browsers also apply form-action to the redirect
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example.com;")
    const pressed = await fleet.request('POST', mail.path, {
      rawBody: `token=${mail.token}`,
      headers: { cookie: mail.cookie, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([pressed.status, pressed.headers.get('cache-control')]).toEqual([303, 'no-store'])
    const onward = new URL(pressed.headers.get('location') ?? '')
    expect(onward.origin + onward.pathname).toBe(application)
    const proof = { login_code: onward.searchParams.get('login_code'), code_verifier: verifier }
    expect(await verify(proof)).toMatchObject({ status: 200, body: { data: { user: { email } } } })
  })

  it('limits the mails to one address, whatever client address is claimed', async () => {
    const claim = (n: number) =>
      fleet.request('POST', '/v1/auth/login', {
        body: { email: 'victim@example.com' },
        headers: { 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` },
      })
    const statuses = []
    for (let n = 0; n < 6; n += 1) statuses.push((await claim(n)).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  })

  it('does not serve the routes of the local fleet', async () => {
    expect((await fleet.request('GET', '/dev/mail')).status).toBe(404)
  })
})
