import { afterAll, expect, it } from '@jest/globals'
import { createOutbound } from '@wp/outbound'
import { createGithubProvider } from '../../src/providers/github-provider.ts'
import { createOutboundFetch } from '../../src/providers/outbound-fetch.ts'
import { createAuthorizationRequest } from '../../src/providers/pending-authorization.ts'
import { startGithub } from '../fixture/github.ts'

const github = await startGithub()
const outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'], production: false })
afterAll(async () => {
  outbound.close()
  await github.close()
})

/** Signs in as the browser does. */
async function fetchIdentity() {
  const provider = createGithubProvider({ ...github, fetch: createOutboundFetch(outbound, true) })
  const request = createAuthorizationRequest()
  const url = await provider.buildAuthorizationUrl(request, 'http://localhost:4000/callback')
  return await provider.fetchIdentity(request, new URL(await github.visit(url.href)))
}

it('returns the verified primary address among many', async () => {
  const others = Array.from({ length: 50 }, (_, n) => ({ email: `${n}@example.test`, primary: false, verified: true }))
  github.user = { id: 7, emails: [...others, { email: 'Me@example.test', primary: true, verified: true }] }
  expect(await fetchIdentity()).toEqual({ issuer: github.url, subject: '7', email: 'me@example.test' })
})

it('rejects too many addresses with one issue, without parsing them', async () => {
  github.user = { id: 7, emails: Array(100_000).fill(0) }
  await expect(fetchIdentity()).rejects.toMatchObject({ issues: [{ code: 'too_big' }] })
})

it('rejects a response that exceeds the byte limit', async () => {
  github.user = { id: 7, emails: Array(150_000).fill(0) }
  await expect(fetchIdentity()).rejects.toMatchObject({
    cause: { message: expect.stringContaining('exceeds 262144 bytes') },
  })
})
