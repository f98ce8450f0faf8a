import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { TestResponse } from '@wp/testkit'
import { startTestConsole, type TestConsole } from '../fixture/console.ts'
import { sendJson } from '../fixture/fake-edge.ts'

const session = '/console/api/session'
const download = '/console/api/v1/audit/docs/doc_01h455vb4pex5vsknk084sn02q/content'

let console: TestConsole
let cookie: string
beforeAll(async () => {
  console = await startTestConsole()
  cookie = await console.signIn()
})
beforeEach(() => console.edge.reset())
afterAll(() => console.stop())

const codeOf = ({ status, body }: TestResponse) => [status, body.code]

describe('requests of other origins', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['an address that the user typed', { 'sec-fetch-site': 'none' }],
    ['a page without the header of the app', { 'x-console': undefined }],
    ['an older browser and another origin', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    ['a sandboxed page', { 'sec-fetch-site': undefined, origin: 'null' }],
  ])('are refused with the cookie of a session when they come from %s', async (_, headers) => {
    const requests = [
      console.send('GET', session, { cookie, headers }),
      console.send('POST', `${session}/logout`, { cookie, headers }),
      console.send('GET', '/console/api/v1/auth/me', { cookie, headers }),
      console.send('POST', '/console/api/v1/auth/api-key', { cookie, headers, body: {} }),
    ]
    for (const response of await Promise.all(requests)) expect(codeOf(response)).toEqual([403, 'origin_forbidden'])
    expect(console.edge.requests).toEqual([])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
    'are refused when the body has the content type %s, which forms can send',
    async (type) => {
      const rawBody = JSON.stringify({ email: 'owner@example.com' })
      const response = await console.send('POST', `${session}/login`, { rawBody, headers: { 'content-type': type } })
      expect(codeOf(response)).toEqual([415, 'unsupported_media_type'])
    },
  )
})

describe('requests of the console', () => {
  it('are served when an older browser sends the origin of the platform', async () => {
    const headers = { 'sec-fetch-site': undefined, origin: 'http://localhost:4000' }
    expect((await console.send('GET', session, { cookie, headers })).status).toBe(200)
  })

  it('may download a file by a link, without the header of the app', async () => {
    console.edge.on(`GET ${download.slice('/console/api'.length)}`, (_, response) => sendJson(response, 200, {}))
    const byLink = { 'x-console': undefined }
    expect((await console.send('GET', download, { cookie, headers: byLink })).status).toBe(200)
    for (const site of ['cross-site', 'none', undefined]) {
      const headers = { ...byLink, 'sec-fetch-site': site }
      expect((await console.send('GET', download, { cookie, headers })).status).toBe(403)
    }
  })

  it.each([
    ['an unknown field', '/login', { email: 'a@example.com', redirect_uri: 'https://evil.example' }, '/redirect_uri'],
    ['a malformed address', '/login', { email: 'nobody' }, '/email'],
    ['an unknown provider', '/providers', { provider: 'evil' }, '/provider'],
    ['a proof of both kinds', '/verify', { login_code: 'a', code: '1' }, '/code'],
  ])('are refused with a pointer when they have %s', async (_, path, body, pointer) => {
    const response = await console.send('POST', session + path, { body })
    expect(response.status).toBe(400)
    expect(response.body.errors[0].pointer).toBe(pointer)
  })

  it('are refused when the body is larger than 64 KiB', async () => {
    const body = { email: 'a'.repeat(65_536) }
    expect(codeOf(await console.send('POST', `${session}/login`, { body }))).toEqual([413, 'payload_too_large'])
  })

  it('get 404 for an unknown path and 405 for an unknown method', async () => {
    expect((await console.send('GET', `${session}/unknown`)).status).toBe(404)
    const response = await console.send('GET', `${session}/login`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })
})
