import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import {
  type BrowserFleet,
  browserOwnerEmail,
  describeInChromium,
  startBrowserFleet,
  type WatchedPage,
} from '@wp/testkit/chromium'
import { actionWords } from '../../web/src/audit/audit-words.ts'

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
  let webhookId: string
  let webhookSecret: string

  it('shows the three values of a new service principal, which get a token', async () => {
    const { page } = opened
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
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
    webhookSecret = await readSecret(page)
    await page.waitForURL(/webhooks\/wh_/)
    webhookId = lastSegment(page.url())
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
    await page.getByRole('button', { name: 'Upload 70 rows' }).click()
    await page
      .getByText(/70 new/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Forecast this data' }).click()
    await page.getByRole('combobox', { name: 'Value', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Start forecast' }).click()
    await page.waitForURL(/forecasts\/fr_/)
    await page.getByRole('figure').first().waitFor()
    await fleet.receiver.waitFor(({ headers }) => headers['x-webhook-event'] === 'FORECASTING_FINISHED')
  })

  it('shows a delivery in a test receiver, with a valid signature', async () => {
    const { page } = opened
    await page.goto(fleet.address('webhooks/new'))
    await page.getByRole('button', { name: 'Use a test receiver' }).click()
    await page.getByText('A test receiver of the platform').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('Nothing has arrived yet').waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    const arrived = page.getByRole('table', { name: 'Requests that arrived' })
    await arrived.getByText('signature valid').first().waitFor()
    await arrived.getByRole('link').first().click()
    await expectVisible(page.getByRole('dialog', { name: 'WEBHOOK_TEST' }).getByText('Signature valid'))
  })

  it('resends a delivery', async () => {
    const { page } = opened
    const wasDelivered = () =>
      fleet.receiver.received.filter(({ headers }) => headers['x-webhook-event'] === 'FORECASTING_FINISHED').length
    const before = wasDelivered()
    await page.goto(`${fleet.address('webhooks/deliveries')}?status=delivered&event=FORECASTING_FINISHED`)
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('button', { name: 'Resend' }).click()
    const dialog = page.getByRole('dialog', { name: /^Resend/ })
    await dialog.getByRole('button', { name: /^Resend/ }).click()
    await eventually(() => wasDelivered() > before, { description: 'the delivery to arrive again' })
  })

  it('asks for a code before it rotates a secret if the sign-in is old, and the old secret stays valid', async () => {
    const { page } = opened
    await fleet.ageSignIns()
    await page.goto(fleet.address(`webhooks/${webhookId}`))
    await page.getByRole('button', { name: 'Actions of Facility team' }).click()
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
    const rotation = page.getByRole('dialog', { name: 'Rotate the secret of Facility team' })
    await rotation.getByLabel('1 hour').check()
    await rotation.getByRole('button', { name: 'Rotate secret' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const code = await fleet.nextCode(browserOwnerEmail, () =>
      confirmation.getByRole('button', { name: 'Send a code' }).click(),
    )
    await confirmation.getByLabel('Code').fill(code)
    await page.getByRole('dialog', { name: 'The new secret' }).waitFor()
    const secret = await readSecret(page)
    expect(secret).not.toBe(webhookSecret)
    await expectVisible(page.getByText('deliveries are signed with both secrets'))
    expect(await page.getByText(secret).count()).toBe(0)
    fleet.receiver.clear()
    await page.getByRole('button', { name: 'Send test' }).click()
    const { headers, body } = await fleet.receiver.waitFor((request) => 'x-webhook-event' in request.headers)
    const sign = (key: string) => createHmac('sha256', key).update(body).digest('hex')
    expect(headers['x-webhook-signature']).toBe(sign(secret))
    expect(headers['x-webhook-signature-previous']).toBe(sign(webhookSecret))
  })

  it('shows all of it in the audit log, through its filters', async () => {
    const { page, problems } = opened
    const expected: [action: string, target: string][] = [
      ['service_principal.created', 'Badge importer'],
      ['webhook.created', 'webhook'],
      ['data_source.created', 'data source'],
      ['data_source.records_uploaded', 'data source'],
      ['forecast_run.started', 'forecast run'],
      ['delivery.resent', 'delivery'],
      ['session.reauthenticated', 'session'],
      ['webhook.secret_rotated', 'webhook'],
    ]
    await eventually(
      async () => {
        const records: { action: string }[] = await fleet.api('GET', '/v1/audit/logs?limit=100')
        const actions = new Set(records.map(({ action }) => action))
        return expected.every(([action]) => actions.has(action))
      },
      { intervalMs: 500, description: 'the audit records' },
    )
    await page.goto(fleet.address('audit'))
    const rows = page.getByRole('table', { name: 'Audit records' }).locator('tbody').getByRole('row')
    const showsOnly = (text: string) =>
      eventually(
        async () => {
          const shown = await rows.allTextContents()
          return shown.length > 0 && shown.every((row) => row.includes(text))
        },
        { intervalMs: 100, description: `only records with ${text}` },
      )
    for (const [action, target] of expected) {
      await page.getByLabel('Action', { exact: true }).fill(action)
      await showsOnly(actionWords(action))
      expect(new URL(page.url()).searchParams.get('action')).toBe(action)
      await expectVisible(rows.filter({ hasText: browserOwnerEmail }).filter({ hasText: target }).first())
    }
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.goto(`${fleet.address('audit')}?target=${webhookId}`)
    await expectVisible(page.getByLabel('Target'))
    for (const action of ['webhook.created', 'webhook.secret_rotated'])
      await expectVisible(rows.getByText(actionWords(action)))
    await rows.getByRole('button').last().click()
    await expectVisible(page.getByRole('dialog').getByText('IP address'))
    expect(problems).toEqual([])
  })
})

/** Reads the secret that a dialog shows, and closes the dialog. */
async function readSecret(page: WatchedPage['page']): Promise<string> {
  const shown = page.getByRole('dialog')
  const secret = (await shown.locator('dd code').textContent()) ?? ''
  await shown.getByRole('button', { name: 'Close' }).last().click()
  await shown.waitFor({ state: 'detached' })
  return secret
}

const lastSegment = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? ''

const expectVisible = (locator: ReturnType<WatchedPage['page']['locator']>) => locator.waitFor({ state: 'visible' })
