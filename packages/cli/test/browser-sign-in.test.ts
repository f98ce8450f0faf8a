import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startMailbox, startTestFleet } from '@wp/testkit'
import { createProgram, type RunningProgram } from './fixture/program.ts'

const mailbox = await startMailbox()
const fleet = await startTestFleet({ services: ['auth', 'system'], env: { auth: { SMTP_URL: mailbox.url } } })
const wp = await createProgram(fleet.baseUrl)
afterAll(async () => {
  await wp.close()
  await fleet.stop()
  await mailbox.close()
})

/** Starts `login --web` with a browser that writes the address to a file. Returns the address it was opened with. */
async function startLogin(): Promise<{ login: RunningProgram; address: URL }> {
  const [browser, opened] = [join(wp.folder, 'browser'), join(wp.folder, `opened-${crypto.randomUUID()}`)]
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`)
  await chmod(browser, 0o700)
  const login = wp.start(['login', '--web'], { BROWSER: browser })
  return { login, address: new URL(await eventually(() => readFile(opened, 'utf8'))) }
}

/** Acts as the user in the browser: signs in by mail and decides. Returns the address of the final redirect. */
async function decide(address: URL, email: string, decision: 'approve' | 'deny'): Promise<string> {
  const cookies = new Map<string, string>()
  async function send(path: string, form?: Record<string, string>) {
    const response = await fetch(new URL(path, fleet.baseUrl), {
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), 'sec-fetch-site': 'same-origin' },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      redirect: 'manual',
    })
    for (const field of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(field) ?? []
      cookies.set(name, value)
    }
    return { location: response.headers.get('location') ?? '', fields: hiddenFieldsOf(await response.text()) }
  }
  const signInPage = await send(address.pathname + address.search)
  const codePage = await send('/v1/auth/authorize/login', { ...signInPage.fields, email })
  const { code } = await mailbox.waitFor((mail) => mail.to === email && mail.code !== null)
  const signedIn = await send('/v1/auth/authorize/verify', { ...codePage.fields, code: `${code}` })
  const consent = await send(signedIn.location)
  return (await send('/v1/auth/authorize', { ...consent.fields, decision })).location
}

const hiddenFieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    ]),
  )

describe('wp login --web', () => {
  it('signs in through a redirect to a free port of loopback, and refreshes the session as its client', async () => {
    const { login, address } = await startLogin()
    expect(address.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    const page = await fetch(await decide(address, 'web@example.com', 'approve'))
    expect(await page.text()).toBe('You can close this window and return to the terminal.\n')
    expect(await login.ended).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('as web@example.com.'),
    })
    const file = join(wp.folder, 'wp', 'credentials.json')
    const config = JSON.parse(await readFile(file, 'utf8'))
    config.accounts[fleet.baseUrl].credential.expires_at_ms = 0
    await writeFile(file, JSON.stringify(config))
    const { stdout } = await wp.run(['whoami', '--jq', '.email, (.credential.scopes | index("auth:keys"))'])
    expect(stdout).toBe('web@example.com\nnull\n')
    const refused = await wp.run(['keys', 'create'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('(missing_scope, request req-') })
  })

  it('fails when the user refuses, and when the redirect belongs to another request', async () => {
    const refused = await startLogin()
    await fetch(await decide(refused.address, 'refuses@example.com', 'deny'))
    expect(await refused.login.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\nwp: the sign-in was refused: .+\n$/),
    })
    const forged = await startLogin()
    const callback = new URL(forged.address.searchParams.get('redirect_uri') ?? '')
    callback.search = new URLSearchParams({ code: 'stolen', state: 'guessed', iss: fleet.baseUrl }).toString()
    await fetch(callback)
    expect(await forged.login.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('another request') })
  })
})
