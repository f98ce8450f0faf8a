import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type BrowserFleet, describeInChromium, forms, startBrowserFleet, type WatchedPage } from '@wp/testkit/chromium'

let fleet: BrowserFleet
let opened: WatchedPage

describeInChromium('the console', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
    opened = await fleet.openSignedIn()
  })
  afterAll(() => fleet?.stop())

  it('offers a viewer no action that is refused, and says why one is when it is opened by its address', async () => {
    const webhook = await fleet.api('POST', '/v1/webhooks/webhooks', {
      endpoint: fleet.receiver.url('/seen'),
      events: ['DATA_SYNC_FAILED'],
      secret: 'a secret of the tests',
      description: 'Facility team',
    })
    const { page, problems, close } = await openAsViewer('viewer@example.com')
    const denied: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) denied.push(response.url())
    })
    // The first time the scopes are not known yet, the second time they are remembered.
    for (const _visit of ['first', 'second']) {
      await page.goto(fleet.address(''))
      await page.getByRole('link', { name: /^Facility team/ }).waitFor()
      await page.getByText('Nothing needs attention').waitFor()
    }
    expect(denied).toEqual([])
    expect(await page.getByRole('link', { name: 'Add a file' }).count()).toBe(0)
    expect(await page.getByText('What do you want to do?').count()).toBe(0)

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('webhook')
    await page.getByRole('option', { name: 'Webhooks' }).waitFor()
    expect(await page.getByRole('option', { name: 'Add a webhook' }).count()).toBe(0)
    await page.keyboard.press('Escape')

    await page.goto(fleet.address('webhooks'))
    const add = page.getByRole('button', { name: 'Add webhook' })
    await add.waitFor()
    expect(await add.isDisabled()).toBe(true)
    expect(await add.getAttribute('title')).toBe('Needs the scope webhooks:write')
    await page.goto(fleet.address(`webhooks/${webhook.webhook_id}`))
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    for (const name of ['Send test', 'Actions of Facility team'])
      await page.getByRole('button', { name }).waitFor({ state: 'detached' })

    await page.goto(fleet.address('webhooks/new'))
    await page.getByText('You cannot add webhooks').waitFor()
    await page.getByRole('textbox', { name: 'Endpoint' }).fill(fleet.receiver.url('/refused'))
    await page.getByRole('radio', { name: /^All events/ }).check()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('alert').getByText('The scope webhooks:write is required').waitFor()
    expect(await fleet.api('GET', '/v1/webhooks/webhooks')).toHaveLength(1)
    expect(await page.getByRole('link', { name: 'Keys', exact: true }).count()).toBe(0)
    await page.goto(fleet.address('developer'))
    await page.getByRole('alert').getByText('The scope auth:keys is required').waitFor()
    expect(problems).toEqual([])
    await close()
  })

  it('pages and filters 10,000 deliveries by their addresses, with 50 rows in the page', async () => {
    const { page, problems } = opened
    const count = 10_000
    const webhook = await fleet.api('POST', '/v1/webhooks/webhooks', {
      endpoint: fleet.receiver.url('/many'),
      events: ['DATA_SYNC_FAILED'],
      secret: 'a secret of the tests',
    })
    const newest = await insertDeliveries(webhook.webhook_id, count)
    const list = `${fleet.address('webhooks/deliveries')}?webhook=${webhook.webhook_id}`
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody').getByRole('row')
    const shows = (serial: number) =>
      rows
        .first()
        .locator(`a[href$="${deliveryId(serial)}"]`)
        .waitFor()

    await page.goto(list)
    for (const first of [1, 51, 101]) {
      await shows(first)
      expect(await rows.count()).toBe(50)
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2_000)
      await page.getByRole('link', { name: 'Next' }).click()
    }
    await shows(151)
    const address = page.url()
    await page.goBack()
    await shows(101)
    await page.goto(address)
    await shows(151)

    await page.getByLabel('Status').selectOption('failed')
    await shows(100)
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed')
    expect(new URL(page.url()).searchParams.has('cursor')).toBe(false)
    expect(await rows.filter({ hasText: 'failed' }).count()).toBe(50)
    await page.reload()
    await shows(100)

    const end = new Date(newest.getTime() - (count - 20) * 1000).toISOString()
    await page.goto(`${list}&until=${encodeURIComponent(end)}`)
    await page.getByRole('link', { name: 'DATA_SYNC_FAILED' }).last().waitFor()
    expect(
      await rows
        .last()
        .locator(`a[href$="${deliveryId(count)}"]`)
        .count(),
    ).toBe(1)
    expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0)
    expect(problems).toEqual([])
  })

  it.each(['light', 'narrow'] as const)('shows a long name of a workspace in whole (%s)', async (form) => {
    const { page, problems } = opened
    const name = 'Gesellschaft für Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung Süd'
    await fleet.api('PATCH', '/v1/system/workspace', { name })
    const { viewport } = forms[form]
    await page.setViewportSize(viewport)
    for (const path of ['settings', '']) {
      await page.goto(fleet.address(path))
      await page.locator('h1').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    }
    expect(await page.locator('h1').textContent()).toBe(name)
    if (form === 'narrow') await page.getByRole('button', { name: 'Open navigation' }).click()
    const switcher = page.getByRole('complementary', { name: 'Sidebar' }).getByRole('button', { name })
    expect(await switcher.getAttribute('title')).toBe(name)
    expect((await switcher.boundingBox())?.width).toBeLessThan(viewport.width)
    await switcher.click()
    const menu = page.getByRole('menu')
    await menu.getByRole('menuitem', { name }).waitFor()
    const box = await menu.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width)
    // A word that does not fit would be cut off at the edge of the menu.
    expect(
      await page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
      document.querySelector('[role=menu]'))`),
    ).toBe(0)
    expect(problems).toEqual([])
  })
})

/** Invites a viewer, accepts the invitation and signs in as the viewer. */
async function openAsViewer(email: string): Promise<WatchedPage> {
  await fleet.api('POST', '/v1/auth/admin/users', { email, role: 'viewer' })
  const { link } = await fleet.mailbox.waitFor(({ to }) => to === email)
  const token = new URL(link ?? '').searchParams.get('token')
  const accepted = await fleet.fleet.request('POST', '/v1/auth/invitations/accept', { body: { token } })
  expect(accepted.status).toBe(200)
  return await fleet.openSignedIn('light', email)
}

const deliveryId = (serial: number): string => `dlv_${String(serial).padStart(26, '0')}`

/** Inserts ended deliveries, a second apart, of which every hundredth failed. @returns the time before the newest */
async function insertDeliveries(webhookId: string, count: number): Promise<Date> {
  const newest = new Date()
  await fleet.query(
    'webhook-delivery',
    `INSERT INTO deliveries
       (request_id, workspace_id, webhook_id, event_id, event_kind, body, status, attempt_count, occurred_at, created_at)
     SELECT 'dlv_' || lpad(n::text, 26, '0'), $1, $2, 'evt_' || lpad(n::text, 26, '0'), 'DATA_SYNC_FAILED', '{}'::bytea,
            CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'delivered' END, 1, at, at
     FROM generate_series(1, $3::integer) n, LATERAL (SELECT $4::timestamptz - n * interval '1 second' AS at) times`,
    [fleet.workspaceId, webhookId, count, newest],
  )
  return newest
}
