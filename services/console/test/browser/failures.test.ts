import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type BrowserFleet, browserOwnerEmail, describeInChromium, startBrowserFleet } from '@wp/testkit/chromium'

let fleet: BrowserFleet

const germanName =
  'Gesellschaft für Grundstücksverwaltungsangelegenheiten und Gebäudebewirtschaftungsdienstleistungen Süd'

describeInChromium('the console, when something goes wrong', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
  })
  afterAll(() => fleet?.stop())

  it('asks to sign in again above the page when the session has ended, and keeps what was typed', async () => {
    const { page, problems, close } = await fleet.openSignedIn()
    await page.goto(fleet.address('webhooks/new'))
    await page.getByLabel('Description').fill('typed before')
    await fleet.query('console', 'DELETE FROM sessions')
    await page.getByLabel('Endpoint').fill(fleet.receiver.url('/late'))
    await page.getByLabel(/All events/).check()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await dialog.getByLabel('Email').fill(browserOwnerEmail)
    const code = await fleet.nextCode(browserOwnerEmail, () =>
      dialog.getByRole('button', { name: 'Send a code' }).click(),
    )
    await dialog.getByLabel('Code').fill(code)
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Description').inputValue()).toBe('typed before')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('dialog').getByText('Store the secret now').waitFor()
    expect(problems).toEqual([])
    await close()
  })

  it('continues an upload after the network was lost in the middle of it', async () => {
    const { page, context, close } = await fleet.openSignedIn()
    const source = await fleet.api('POST', '/v1/data/sources', { name: 'Large upload', provider: 'upload' })
    await page.goto(fleet.address(`data/${source.data_source_id}`))
    const rows = Array.from({ length: 60_000 }, (_, index) => `${index},${'x'.repeat(200)}`)
    // Held until the connection is cut, so that the upload cannot have ended.
    await page.route('**/records*', async (route) => {
      await context.setOffline(true)
      await route.abort('internetdisconnected')
    })
    await page.locator('input[type=file]').setInputFiles({
      name: 'large.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['key,text', ...rows].join('\n')),
    })
    await page.getByText('The upload was interrupted').waitFor()
    await page.unroute('**/records*')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page
      .getByText(/60,000 created/)
      .first()
      .waitFor()
    await close()
  })

  it('keeps both tabs signed in when one of them confirms a code, and signs both out', async () => {
    const { page, context, close } = await fleet.openSignedIn()
    const other = await context.newPage()
    await other.goto(fleet.address('data'))
    await other.locator('h1').waitFor()
    await fleet.ageSignIns()
    await page.goto(fleet.address('members/roles'))
    await page.getByRole('button', { name: 'Create role' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Analyst')
    await form.getByLabel('data:read').first().check()
    await form.getByRole('button', { name: 'Create role' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const code = await fleet.nextCode(browserOwnerEmail, () =>
      confirmation.getByRole('button', { name: 'Send a code' }).click(),
    )
    await confirmation.getByLabel('Code').fill(code)
    await page.getByText('Analyst').first().waitFor()
    await other.reload()
    expect(await other.locator('h1').textContent()).toBe('Data')
    await page.getByRole('button', { name: new RegExp(browserOwnerEmail) }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/sign-in')
    await other.reload()
    await other.waitForURL(({ pathname }) => pathname === '/console/sign-in')
    await close()
  })

  it('tells a viewer what is missing instead of failing', async () => {
    const email = 'viewer@example.com'
    const link = new Promise<string>((resolve, reject) => {
      fleet.mailbox.waitFor((mail) => mail.to === email).then(({ link: url }) => resolve(url ?? ''), reject)
    })
    await fleet.api('POST', '/v1/auth/admin/users', { email, role: 'viewer' })
    const token = new URL(await link).searchParams.get('token')
    const accepted = await fleet.fleet.request('POST', '/v1/auth/invitations/accept', { body: { token } })
    expect(accepted.status).toBe(200)
    const { page, problems, close } = await fleet.openSignedIn('light', email)
    await page.goto(fleet.address('webhooks'))
    await page.locator('h1').waitFor()
    expect(await page.getByRole('link', { name: 'Add webhook' }).count()).toBe(0)
    await page.goto(fleet.address('developer'))
    await page
      .getByText(/permission|scope/i)
      .first()
      .waitFor()
    expect(problems).toEqual([])
    await close()
  })

  it('shows a long name of a workspace without breaking the page', async () => {
    await fleet.api('PATCH', '/v1/system/workspace', { name: germanName })
    const { page, close } = await fleet.openSignedIn('narrow')
    await page.locator('h1').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    const sidebar = await page.getByRole('complementary', { name: 'Sidebar' }).boundingBox()
    expect(sidebar?.width).toBeLessThanOrEqual(390)
    await close()
  })

  it('pages through 10,000 deliveries by their addresses', async () => {
    const webhook = await fleet.api('POST', '/v1/webhooks/webhooks', {
      endpoint: fleet.receiver.url('/many'),
      events: ['DATA_SYNC_FAILED'],
      secret: 'a secret of the tests',
    })
    await insertDeliveries(webhook.webhook_id, 10_000)
    const { page, close } = await fleet.openSignedIn()
    await page.goto(`${fleet.address('webhooks/deliveries')}?webhook_id=${webhook.webhook_id}`)
    const links = page.getByRole('table').getByRole('link')
    await links.first().waitFor()
    const first = await links.first().textContent()
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByText(first ?? '', { exact: true }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('cursor')).not.toBeNull()
    await page.goBack()
    await page
      .getByText(first ?? '')
      .first()
      .waitFor()
    await close()
  })
})

/** Inserts ended deliveries of a subscription, one a second. */
const insertDeliveries = (webhookId: string, count: number) =>
  fleet.query(
    'webhook-delivery',
    `INSERT INTO deliveries
       (request_id, workspace_id, webhook_id, event_id, event_kind, body, status, attempt_count, occurred_at, delivered_at, created_at)
     SELECT 'dlv_0' || lpad(n::text, 25, '0'), $1, $2, 'evt_0' || lpad(n::text, 25, '0'), 'DATA_SYNC_FAILED', '{}'::bytea,
            'delivered', 1, at, at, at
     FROM generate_series(1, $3::integer) n, LATERAL (SELECT now() - n * interval '1 second' AS at) times`,
    [fleet.workspaceId, webhookId, count],
  )
