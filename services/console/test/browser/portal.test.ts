import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import {
  type BrowserFleet,
  checkPage,
  describeInChromium,
  startBrowserFleet,
  waitForContent,
} from '@wp/testkit/chromium'
import { hostileTexts } from './fixture/hostile-texts.ts'

const returnUrl = 'https://app.example.com/settings'
const newLink = { customer_id: 'globex', customer_name: 'Globex', events: ['DATA_SYNC_FINISHED', 'DATA_SYNC_FAILED'] }

let fleet: BrowserFleet
let foreignPage: Server
let framedUrl = ''

interface CreatedLink {
  portal_link_id: string
  url: string
}

const createLink = (settings: object = {}): Promise<CreatedLink> =>
  fleet.api('POST', '/v1/webhooks/portal-links', { ...newLink, return_url: returnUrl, ...settings })

/** Returns the address of another site, whose page shows a portal in a frame and keeps the messages it gets. */
function frameAt(host: string, url: string): string {
  framedUrl = url
  return `http://${host}:${(foreignPage.address() as AddressInfo).port}/`
}

describeInChromium('the webhook portal', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet({ services: ['auth', 'webhook-delivery', 'console'] })
    foreignPage = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>site</title><script>
        window.messages = []
        addEventListener('message', ({ data, origin }) => messages.push({ ...data, origin }))
      </script><iframe src="${framedUrl}" width="900" height="300"></iframe>`)
    }).listen(0)
  })
  afterAll(async () => {
    await fleet?.stop()
    foreignPage?.close()
  })

  it('takes the secret out of the address, keeps it for a reload of the tab, and sends no cookie', async () => {
    const { url } = await createLink()
    const { page, context, problems, close } = await fleet.openSignedIn()
    const cookies: (string | undefined)[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v1/')) cookies.push(request.headers().cookie)
    })
    await page.goto(url)
    for (const load of [async () => undefined, () => page.reload()]) {
      await load()
      await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
      expect(page.url()).not.toContain('key_')
    }
    expect(new Set(cookies)).toEqual(new Set([undefined]))
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { name: 'This link is not valid' }).waitFor()
    expect(problems).toEqual([])
    await close()
  })

  it('lets a customer add a webhook, test it and read what was sent', async () => {
    const { url } = await createLink({ theme: { accent: '#ffe000', name: 'Acme' } })
    const opened = await fleet.open()
    const { page, problems } = opened
    const scripts: string[] = []
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
    await page.goto(url)
    await page.getByText('Events of Acme').waitFor()
    await page.getByRole('link', { name: 'Add webhook' }).first().click()
    await page.getByLabel('Endpoint', { exact: true }).fill(fleet.receiver.url('/portal'))
    await page.getByLabel('Description').fill('Orders')
    await page.getByRole('radio', { name: 'All events' }).check()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('The receiver accepted it').waitFor()
    await page.getByRole('link', { name: 'Request, response and every attempt' }).click()
    await page.getByRole('heading', { name: 'WEBHOOK_TEST' }).waitFor()
    expect(problems).toEqual([])
    const [webhook] = await fleet.api('GET', '/v1/webhooks/webhooks?customer_id=globex')
    expect(webhook).toMatchObject({ description: 'Orders', events: ['DATA_SYNC_FINISHED', 'DATA_SYNC_FAILED'] })

    const base = new URL(url).pathname
    for (const path of ['', '/new', '/events', `/${webhook.webhook_id}`, `/${webhook.webhook_id}/edit`])
      expect([path, await checkPage(opened, `${base}/-/webhooks${path}`)]).toEqual([path, []])
    // The pages of the workspace are not loaded: neither its home page, nor its other areas.
    expect(scripts.some((script) => script.includes('/assets/pages-'))).toBe(true)
    expect(scripts.filter((script) => script.includes('/assets/workspace-'))).toEqual([])
    await opened.close()
  })

  it('offers nothing that changes webhooks if the link may only read', async () => {
    const { url } = await createLink({ can_write: false })
    const { page, close } = await fleet.open()
    await page.goto(url)
    await page.getByText('Read only').waitFor()
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    expect(await page.getByRole('button', { name: 'Send test' }).count()).toBe(0)
    await close()
  })

  it('shows nothing of another customer, by whatever address', async () => {
    const { webhook_id: id } = await fleet.api('POST', '/v1/webhooks/webhooks', {
      endpoint: fleet.receiver.url('/other'),
      events: ['*'],
      description: 'Secret of Initech',
      customer_id: 'initech',
    })
    const { url } = await createLink()
    const { page, close } = await fleet.open()
    await page.goto(url)
    await waitForContent(page)
    await page.goto(`${new URL(url).pathname}/-/webhooks/${id}`)
    await page.getByText('Not found').first().waitFor()
    expect(await page.content()).not.toContain('Initech')
    await close()
  })

  it.each([
    [
      'a tampered secret',
      async ({ url }: CreatedLink) => `${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}`,
      'ended',
    ],
    ['no secret', async ({ url }: CreatedLink) => url.split('#')[0] ?? '', 'not valid'],
    [
      'the secret of another link',
      async ({ url }: CreatedLink) => `${url.split('#')[0]}#${(await createLink()).url.split('#')[1]}`,
      'not valid',
    ],
    ['the id of no link', async ({ url }: CreatedLink) => url.replace(/plink_\w{5}/, 'plink_00000'), 'not valid'],
    ['an unknown cell', async ({ url }: CreatedLink) => url.replace(/portal\/\w+/, 'portal/elsewhere'), 'not valid'],
  ])('says that the link cannot be used with %s', async (_, addressOf, reason) => {
    const { page, problems, close } = await fleet.open()
    await page.goto(await addressOf(await createLink()))
    await page.getByRole('heading', { name: reason }).waitFor()
    expect(problems).toEqual([])
    await close()
  })

  it('says so when the link is revoked while it is open, and leads back', async () => {
    const link = await createLink({ frame_origins: [] })
    const opened = await fleet.open()
    const { page } = opened
    await page.goto(link.url)
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    await fleet.api('DELETE', `/v1/webhooks/portal-links/${link.portal_link_id}`)
    await page.getByPlaceholder('Part of a description').fill('orders')
    await page.getByRole('heading', { name: 'This link has ended' }).waitFor()
    const back = page.getByRole('link', { name: 'Back to app.example.com' })
    expect(await back.getAttribute('href')).toBe(returnUrl)
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    // The backend of the console remembers for 5 seconds at most that the link was valid.
    expect(await checkPage(opened, link.url)).toEqual([])
    await opened.close()
  })

  it('says so for an expired link, without a call of the API', async () => {
    const link = await createLink()
    const id = link.portal_link_id
    await fleet.query('webhook-delivery', `UPDATE portal_links SET expires_at = now() WHERE portal_link_id = '${id}'`)
    const { page, close } = await fleet.open()
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.goto(link.url)
    await page.getByRole('heading', { name: 'This link has ended' }).waitFor()
    expect(calls.filter((path) => path.startsWith('/v1/'))).toEqual([])
    await close()
  })

  it('is shown in a frame of a page that the link names, which it tells its height and its end', async () => {
    const { port } = foreignPage.address() as AddressInfo
    const origin = `http://localhost:${port}`
    const link = await createLink({ frame_origins: [origin] })
    const { page, problems, close } = await fleet.open()
    await page.goto(frameAt('localhost', link.url))
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    await page.waitForFunction('messages.length > 0')
    await fleet.api('DELETE', `/v1/webhooks/portal-links/${link.portal_link_id}`)
    await frame.getByPlaceholder('Part of a description').fill('orders')
    await page.waitForFunction(`messages.at(-1).event === 'expired'`)
    const messages = (await page.evaluate('messages')) as {
      type: string
      event: string
      origin: string
      height?: number
    }[]
    expect(new Set(messages.map(({ type, event, origin: from }) => `${type} ${event} ${from}`))).toEqual(
      new Set([`wp-portal height ${fleet.fleet.baseUrl}`, `wp-portal expired ${fleet.fleet.baseUrl}`]),
    )
    expect(messages[0]?.height).toBeGreaterThan(100)
    expect(problems.filter((problem) => !problem.includes(origin))).toEqual([])
    await close()
  })

  it.each([
    ['another origin', (origin: string) => [origin]],
    ['no origin', () => []],
  ])('is refused by the browser in a frame if the link names %s', async (_, originsOf) => {
    const { port } = foreignPage.address() as AddressInfo
    const link = await createLink({ frame_origins: originsOf(`http://localhost:${port}`) })
    const { page, close } = await fleet.open()
    await page.goto(frameAt('127.0.0.1', link.url))
    const frame = page.frames()[1]
    expect(frame?.url()).toBe('chrome-error://chromewebdata/')
    await close()
  })

  // That the backend escapes the name of the product for its page is tested in pages.test.ts of page/.
  it('shows names as text, whatever they contain', async () => {
    const { page, problems, close } = await fleet.open()
    const text = hostileTexts.join(' ')
    const { url } = await createLink({ customer_name: 'Name', theme: { name: '"><img src=x onerror=alert(1)>' } })
    await page.route('**/v1/webhooks/portal**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('"Name"', () => JSON.stringify(text)) })
    })
    await page.goto(url)
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    const header = page.locator('header').first()
    expect(await header.textContent()).toContain(text.slice(0, text.indexOf('\u200B')))
    expect(await header.locator('strong *, span span *').count()).toBe(0)
    expect(await page.title()).not.toBe('pwned')
    expect(problems).toEqual([])
    await close()
  })

  it('opens from the console, which makes a link and shows it once', async () => {
    const { page, problems, close } = await fleet.openSignedIn()
    await page.goto(fleet.address('webhooks'))
    await page.getByRole('button', { name: 'Portal link' }).click()
    await page.getByLabel('Customer id').fill('globex')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = page.getByRole('link', { name: 'Open the portal' })
    const href = (await link.getAttribute('href')) ?? ''
    expect(href).toMatch(/\/portal\/\w+\.plink_\w+#key_/)
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('row', { name: 'Orders' }).waitFor()
    expect(problems).toEqual([])
    await close()
  })
})
