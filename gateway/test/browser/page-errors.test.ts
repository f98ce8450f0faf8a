import { afterAll, describe, expect, it } from '@jest/globals'
import { errorFormatOf, publicEndpoints } from '@wp/contracts'
import { startTestFleet, type TestResponse } from '@wp/testkit'

const fleet = await startTestFleet({ services: ['auth', 'notifications'] })
afterAll(() => fleet.stop())

const pages = publicEndpoints
  .map(({ definition }) => definition)
  .filter((definition) => errorFormatOf(definition) === 'page')
const opened = pages.filter(({ method }) => method === 'GET').map(({ path }) => [path] as const)
const submitted = pages.filter(({ method }) => method === 'POST').map(({ path }) => [path] as const)
const linked = [['/v1/auth/login/link'], ['/v1/auth/invitations/accept'], ['/v1/notifications/unsubscribe']] as const

const isPage = ({ headers, body }: TestResponse) =>
  headers.get('content-type') === 'text/html; charset=utf-8' &&
  String(body).startsWith('<!doctype html>') &&
  headers.get('content-security-policy')?.startsWith("default-src 'none'; style-src 'sha256-")

/** Queries to which mail programs, trackers and truncation turn the query of a link. */
const brokenQueries = {
  'no query': '',
  'no token': '?utm_source=mail',
  'an empty token': '?token=',
  'an unknown token': '?token=made-up',
  'a token of 4,000 characters': `?token=${'x'.repeat(4_000)}`,
  'a token that occurs twice': '?token=one&token=two',
  'a token with NUL': '?token=a%00b',
  'a token that is not UTF-8': '?token=%ff',
  'a parameter that is no pair': '?token[a]=b',
}

describe('a page that a browser opens', () => {
  it.each(opened)('%s is a page when its query is broken', async (path) => {
    for (const [name, query] of Object.entries(brokenQueries)) {
      const response = await fleet.request('GET', path + query)
      expect([name, response.status < 500, isPage(response) || response.status === 404]).toEqual([name, true, true])
      const head = await fleet.request('HEAD', path + query)
      expect([name, head.status, head.body]).toEqual([name, response.status, ''])
    }
  })

  it.each(submitted)('%s answers with a page when the form is broken', async (path) => {
    const bodies: [string, string | undefined][] = [
      ['text/plain', 'token=x'],
      ['application/xml', '<token/>'],
      ['application/json', '{'],
      ['application/json', '{"token":1,"unknown":true}'],
      ['application/x-www-form-urlencoded', 'token=a&token=b'],
      ['application/x-www-form-urlencoded', ''],
    ]
    for (const [type, rawBody = ''] of bodies) {
      const response = await fleet.request('POST', path, { rawBody, headers: { 'content-type': type } })
      expect([type, response.status < 500, isPage(response)]).toEqual([type, true, true])
    }
  })
})

describe('a link in a mail', () => {
  it.each(linked)('%s ignores parameters that mail programs add, also repeated ones', async (path) => {
    const plain = await fleet.request('GET', `${path}?token=made-up`)
    const added = '&utm_source=a&utm_source=b&mc_cid=%00&amp;fbclid=1&cursor=x&limit=none&__proto__=1'
    const decorated = await fleet.request('GET', `${path}?token=made-up${added}`)
    expect([decorated.status, decorated.body]).toEqual([plain.status, plain.body])
  })
})

it('a page is an error page when its service is unavailable', async () => {
  await fleet.member('notifications').stop()
  const response = await fleet.request('GET', '/v1/notifications/unsubscribe?token=x')
  expect([response.status, isPage(response)]).toEqual([503, true])
  expect(response.body).toContain('The page is unavailable')
})
