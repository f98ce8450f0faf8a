import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import {
  type BrowserFleet,
  browserOwnerEmail,
  describeInChromium,
  startBrowserFleet,
  type WatchedPage,
} from '@wp/testkit/chromium'
import type { Locator } from 'playwright-core'

let fleet: BrowserFleet
let opened: WatchedPage

const day = 86_400_000

/** Ten weeks of daily arrivals with quiet Fridays, up to yesterday. */
function arrivalsCsv(): string {
  const end = Math.floor(Date.now() / day) * day
  const rows = Array.from({ length: 70 }, (_, index) => {
    const at = new Date(end - (70 - index) * day)
    const weekday = at.getUTCDay()
    const value = weekday === 5 ? 20 : weekday === 0 || weekday === 6 ? 0 : 100 + (index % 4)
    return `${at.toISOString().slice(0, 10)},Harbour House,${value}`
  })
  return ['date,building,arrivals', ...rows].join('\n')
}

describeInChromium('the console', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
    opened = await fleet.openSignedIn()
  })
  afterAll(() => fleet?.stop())

  let credentials: { client_id: string; client_secret: string }

  it('shows the three values of a new service principal, which get a token', async () => {
    const { page } = opened
    await page.getByRole('link', { name: 'Developer' }).click()
    await page.getByRole('button', { name: 'Create service principal' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Badge importer')
    await form.getByLabel('data:read', { exact: false }).first().check()
    await form.getByRole('button', { name: 'Create service principal' }).click()
    const shown = page.getByRole('dialog', { name: /stored|created|ready|principal/i })
    await shown.getByText('client_secret').first().waitFor()
    // Neither Escape nor a click outside closes it.
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await expectVisible(shown.getByText('Store the secret now'))
    const [clientId = '', secret = '', workspaceId = ''] = await shown.locator('dd code').allTextContents()
    expect(workspaceId).toBe(fleet.workspaceId)
    credentials = { client_id: clientId, client_secret: secret }
    await shown.getByLabel('I have stored the secret').check()
    await shown.getByRole('button', { name: 'Close' }).click()
    const token = await fleet.fleet.request('POST', '/v1/auth/token', {
      body: { ...credentials, workspace_id: workspaceId, scope: 'data:read' },
    })
    expect(token.status).toBe(200)
    const sources = await fleet.fleet.request('GET', '/v1/data/sources', { as: token.body.access_token })
    expect(sources.status).toBe(200)
  })

  it('adds a webhook whose test reaches its endpoint', async () => {
    const { page } = opened
    await page.goto(fleet.address('webhooks/new'))
    await page.getByLabel('Endpoint').fill(fleet.receiver.url('/hooks'))
    await page.getByLabel('Description').fill('Facility team')
    await page.getByLabel(/All events/).check()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const shown = page.getByRole('dialog')
    await shown.getByLabel('I have stored the secret').check()
    await shown.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Send test' }).click()
    await fleet.receiver.waitFor(({ headers }) => headers['x-webhook-event'] === 'WEBHOOK_TEST')
  })

  it('uploads a file and forecasts from it, with a chart and a delivered webhook', async () => {
    const { page } = opened
    await page.goto(fleet.address('data/new'))
    await page.locator('input[type=file]').setInputFiles({
      name: 'arrivals.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(arrivalsCsv()),
    })
    await page
      .getByText(/70 created/)
      .first()
      .waitFor()
    await page.goto(fleet.address('forecasts/new'))
    await page.getByLabel('Data source').selectOption({ label: 'arrivals' })
    await page.getByLabel('Time column').waitFor()
    await page.getByRole('button', { name: 'Start forecast' }).click()
    await page.waitForURL(/forecasts\/fr_/)
    await page.getByRole('figure').first().waitFor()
    await fleet.receiver.waitFor(({ headers }) => headers['x-webhook-event'] === 'FORECASTING_FINISHED')
  })

  it('resends a delivery', async () => {
    const { page } = opened
    const wasDelivered = () =>
      fleet.receiver.received.filter(({ headers }) => headers['x-webhook-event'] === 'FORECASTING_FINISHED').length
    const before = wasDelivered()
    await page.goto(`${fleet.address('webhooks/deliveries')}?status=delivered&event=FORECASTING_FINISHED`)
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('button', { name: 'Resend' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Resend/ }).click()
    await eventually(() => wasDelivered() > before, { description: 'the delivery to arrive again' })
  })

  it('asks for a code before it rotates a secret, when the sign-in is old', async () => {
    const { page } = opened
    await fleet.ageSignIns()
    await page.goto(fleet.address('webhooks'))
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('button', { name: /Actions of/ }).click()
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Rotate/ })
      .click()
    const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const code = await fleet.nextCode(browserOwnerEmail, () =>
      confirmation.getByRole('button', { name: 'Send a code' }).click(),
    )
    await confirmation.getByLabel('Code').fill(code)
    const shown = page.getByRole('dialog', { name: /secret/i })
    await shown.getByLabel('I have stored the secret').check()
    await shown.getByRole('button', { name: 'Close' }).click()
  })

  it('shows all of it in the audit log', async () => {
    const { page, problems } = opened
    const expected = ['service_principal.created', 'webhook.created', 'webhook.secret_rotated', 'data_source.created']
    await eventually(
      async () => {
        const actions = (await fleet.api('GET', '/v1/audit/logs?limit=100')).map(
          ({ action }: { action: string }) => action,
        )
        return expected.every((action) => actions.includes(action))
      },
      { description: 'the audit records' },
    )
    await page.goto(fleet.address('audit'))
    for (const action of expected) await expectVisible(page.getByText(action).first())
    expect(problems).toEqual([])
  })
})

const expectVisible = (locator: Locator) => locator.waitFor({ state: 'visible' })
