import { describe, expect, it } from '@jest/globals'
import { OutboundError, type OutboundRequest, type OutboundResponse } from '@wp/outbound'
import { createAccessTokens } from '../../src/authentication/access-tokens.ts'
import type { ClientCredentials } from '../../src/authentication/authentication.ts'
import { AuthenticationError } from '../../src/authentication/request-token.ts'

const credentials: ClientCredentials = {
  type: 'oauth2_client_credentials',
  token_url: 'https://login.example.com/token',
  client_id: 'the client',
  client_secret: 's3cret:&+',
  scope: 'hooks write',
  audience: null,
  client_authentication: 'basic',
}

type Answer = { status?: number; body: unknown } | OutboundError

/** Access tokens with a token endpoint whose answers the test gives. */
function createFixture() {
  const requests: { request: OutboundRequest; answer: (answer: Answer) => void }[] = []
  const clock = { nowMs: 1_000_000 }
  const request = (sent: OutboundRequest) =>
    new Promise<OutboundResponse>((resolve, reject) => {
      requests.push({
        request: sent,
        answer(answer) {
          if (answer instanceof OutboundError) return reject(answer)
          const body = Buffer.from(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
          const timings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: 1, total_ms: 1 }
          resolve({
            status: answer.status ?? 200,
            headers: {},
            body,
            truncated: false,
            address: '192.0.2.1',
            reused: false,
            timings,
          })
        },
      })
    })
  const tokens = createAccessTokens({ outbound: { request }, tokenTimeoutMs: 5_000, now: () => clock.nowMs })
  const answer = (body: unknown) => requests.at(-1)?.answer({ body })
  return { tokens, requests, clock, answer }
}

const issued = (access_token: string, expires_in?: number) => ({ access_token, token_type: 'Bearer', expires_in })

describe('the access token of an endpoint', () => {
  it('is requested once for all that wait for it, with the credentials in the header', async () => {
    const { tokens, requests, answer } = createFixture()
    const waiting = [1, 2, 3].map(() => tokens.get('key', credentials))
    answer(issued('one', 3_600))
    expect(await Promise.all(waiting)).toEqual(Array(3).fill({ value: 'one', isCached: false }))
    expect(await tokens.get('key', credentials)).toEqual({ value: 'one', isCached: true })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.request).toMatchObject({
      url: credentials.token_url,
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('the+client:s3cret%3A%26%2B').toString('base64')}` },
      body: 'grant_type=client_credentials&scope=hooks+write',
      timeoutMs: 5_000,
    })
  })

  it('is requested with the credentials in the body if the subscription says so', async () => {
    const { tokens, requests, answer } = createFixture()
    const token = tokens.get('key', { ...credentials, client_authentication: 'body', scope: null, audience: 'api' })
    answer(issued('one'))
    await token
    expect(requests[0]?.request.headers).not.toHaveProperty('authorization')
    expect(requests[0]?.request.body).toBe(
      'grant_type=client_credentials&audience=api&client_id=the+client&client_secret=s3cret%3A%26%2B',
    )
  })

  it('is replaced a minute before it expires, or after half of a short lifetime', async () => {
    for (const [lifetimeSeconds, usedSeconds] of [
      [3_600, 3_540],
      [20, 10],
    ] as const) {
      const { tokens, requests, clock, answer } = createFixture()
      const first = tokens.get('key', credentials)
      answer(issued('one', lifetimeSeconds))
      await first
      clock.nowMs += usedSeconds * 1_000 - 1
      expect((await tokens.get('key', credentials)).value).toBe('one')
      clock.nowMs += 1
      const second = tokens.get('key', credentials)
      answer(issued('two', lifetimeSeconds))
      expect(await second).toEqual({ value: 'two', isCached: false })
      expect(requests).toHaveLength(2)
    }
  })

  it('is dropped when the endpoint rejects it, but not one that has replaced it', async () => {
    const { tokens, requests, answer } = createFixture()
    const first = tokens.get('key', credentials)
    answer(issued('one'))
    await first
    tokens.reject('key', 'one')
    const second = tokens.get('key', credentials)
    answer(issued('two'))
    await second
    tokens.reject('key', 'one')
    expect(await tokens.get('key', credentials)).toEqual({ value: 'two', isCached: true })
    expect(requests).toHaveLength(2)
  })

  it.each<[string, Answer, string]>([
    ['an error', { status: 401, body: { error: 'invalid_client' } }, 'responded with 401 (invalid_client)'],
    ['an error without a code', { status: 503, body: '<html>' }, 'responded with 503'],
    ['no token', { body: { token_type: 'Bearer' } }, 'has no bearer token'],
    ['another type', { body: { access_token: 'one', token_type: 'mac' } }, 'has no bearer token'],
    ['a line break', { body: { access_token: 'one\r\nx: y' } }, 'has no bearer token'],
    ['no connection', new OutboundError('connect', 'refused'), 'the token endpoint failed: refused'],
  ])('is requested again after %s', async (_, answered, message) => {
    const { tokens, requests, answer } = createFixture()
    const failed = tokens.get('key', credentials)
    requests[0]?.answer(answered)
    const error = await failed.catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(String(error)).toContain(message)
    const next = tokens.get('key', credentials)
    answer(issued('one'))
    expect((await next).value).toBe('one')
  })

  it('is of its own credentials only', async () => {
    const { tokens, requests } = createFixture()
    const [one, two] = [tokens.get('a', credentials), tokens.get('b', credentials)]
    requests[0]?.answer({ body: issued('one') })
    requests[1]?.answer({ body: issued('two') })
    expect([(await one).value, (await two).value]).toEqual(['one', 'two'])
  })
})
