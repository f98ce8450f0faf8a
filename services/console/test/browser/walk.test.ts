import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { type BrowserFleet, describeInChromium, startBrowserFleet, type WatchedPage } from '@wp/testkit/chromium'

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
    const shown = page.getByRole('dialog', { name: 'Badge importer is ready' })
    await shown.waitFor()
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
    await page.getByRole('textbox', { name: 'Endpoint' }).fill(fleet.receiver.url('/hooks'))
    await page.getByLabel('Description').fill('Facility team')
    await page.getByRole('radio', { name: /^All events/ }).check()
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
      .getByText(/70 new/)
      .first()
      .waitFor()
    await page.goto(fleet.address('forecasts/new'))
    await page.getByRole('combobox', { name: 'Data source' }).selectOption({ label: 'arrivals (70 records)' })
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
})

const expectVisible = (locator: ReturnType<WatchedPage['page']['locator']>) => locator.waitFor({ state: 'visible' })
