import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { describeInChromium, openChromium } from '@wp/testkit/chromium'
import { buildTarball } from './package/build-tarball.ts'
import { type PageServer, startPageServer } from './package/page-server.ts'

/** Uses the published modules in a page. Its only argument is the platform to call. */
const program = `async ({ baseUrl, accessToken, modulePath }) => {
  const { createClient, NotFoundError } = await import(modulePath)
  const client = createClient({ baseUrl, credential: { accessToken } })
  try {
    const source = await client.data.createSource({ body: { name: 'From a page', provider: 'upload', config: {} } })
    const id = source.data_source_id
    const page = await client.data.listSources({ query: { limit: 5 } })
    const missing = await client.data.getSource({ params: { data_source_id: id.replace(/.{4}$/, '0000') } }).catch((error) => error)
    return {
      isListed: page.items.some((one) => one.data_source_id === id),
      missing: { isNotFound: missing instanceof NotFoundError, code: missing.code, hasRequestId: missing.requestId !== undefined },
    }
  } catch (error) {
    return { failure: error.constructor.name + ': ' + error.message }
  }
}`

let parent: string
let allowed: PageServer
let other: PageServer
let fleet: TestFleet
let browser: Awaited<ReturnType<typeof openChromium>>

describeInChromium('the published client in a page of another origin', () => {
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'client-page-'))
    ;[allowed, other] = await Promise.all([startPageServer(), startPageServer()])
    const [built, started, opened] = await Promise.all([
      buildTarball(parent),
      startTestFleet({ services: ['auth', 'system', 'data'], env: { gateway: { CORS_ORIGINS: allowed.origin } } }),
      openChromium(),
    ])
    fleet = started
    browser = opened
    for (const server of [allowed, other]) server.serve(built.folder)
  })
  afterAll(async () => {
    await browser?.close()
    await fleet?.stop()
    await Promise.all([allowed?.close(), other?.close()])
    await rm(parent, { recursive: true, force: true })
  })

  async function runIn(server: PageServer): Promise<unknown> {
    const page = await browser.newPage()
    await page.goto(server.origin)
    const input = {
      baseUrl: fleet.baseUrl,
      accessToken: await fleet.token(fleet.owner),
      modulePath: '/client/esm/index.js',
    }
    const result = await page.evaluate(`(${program})(${JSON.stringify(input)})`)
    await page.close()
    return result
  }

  it('creates, lists and misses a resource if the origin is listed', async () => {
    expect(await runIn(allowed)).toEqual({
      isListed: true,
      missing: { isNotFound: true, code: 'not_found', hasRequestId: true },
    })
  })

  it('reads no response if the origin is not listed', async () => {
    expect(await runIn(other)).toEqual({ failure: expect.stringMatching(/^NetworkError: /) })
  })
})
