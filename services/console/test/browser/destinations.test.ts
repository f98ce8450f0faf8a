import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { type BrowserFleet, checkPage, describeInChromium, startBrowserFleet } from '@wp/testkit/chromium'

let fleet: BrowserFleet

/** Returns the numbers of the records that the receiver has, in their order; 0 is a test. */
const written = (): number[] =>
  fleet.receiver.received
    .filter(({ path }) => path === '/siem')
    .flatMap(({ body }) => body.toString('utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line).seq)

describeInChromium('the pages of event destinations', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet({ services: ['auth', 'webhook-delivery', 'audit', 'console'] })
  })
  afterAll(() => fleet?.stop())

  it('create one, test it, write its records again, change and disable it', async () => {
    const opened = await fleet.openSignedIn()
    const { page, problems } = opened
    await page.goto(fleet.address('webhooks'))
    await page.getByRole('link', { name: 'Destinations', exact: true }).click()
    await page.getByRole('heading', { name: 'No event destinations yet' }).waitFor()
    expect(await checkPage(opened, fleet.address('webhooks/destinations'))).toEqual([])
    await page.goto(fleet.address('webhooks/destinations/new'))
    await page.getByLabel('Name').fill('Security archive')
    await page.getByRole('radio', { name: 'Audit log' }).check()
    await page.getByLabel('Type').selectOption('HTTP endpoint')
    await page.getByLabel('Address').fill('https://10.0.0.1/siem')
    const create = page.getByRole('button', { name: 'Create and write a test record' })
    await create.click()
    const address = page.getByLabel('Address')
    await eventually(async () => (await address.getAttribute('aria-invalid')) === 'true', {
      description: 'an error at the address',
    })
    problems.splice(0) // the refused request
    await address.fill(fleet.receiver.url('/siem'))
    await create.click()
    await page.getByRole('dialog', { name: 'The event destination is ready' }).waitFor()
    expect(written()).toContain(0)
    await page.getByRole('button', { name: 'Open it' }).click()
    await page.getByText(/Written up to record \d+, just now; nothing waits\./).waitFor()

    const first = written().length
    await page.getByRole('button', { name: 'Actions of Security archive' }).click()
    await page.getByRole('menuitem', { name: 'Replay records' }).click()
    await page.getByRole('button', { name: 'A record number' }).click()
    await page.getByText(/^Records 1 to \d+ are written again: \d+ records/).waitFor()
    await page.getByRole('button', { name: /^Write \d+ records again$/ }).click()
    // The message of the result is a dialog too.
    await page.getByRole('dialog', { name: 'Replay records' }).waitFor({ state: 'detached' })
    await eventually(() => written().slice(first).includes(1), { description: 'record 1' })
    const [id] = (await fleet.api('GET', '/v1/webhooks/destinations')).map(
      (item: { destination_id: string }) => item.destination_id,
    )

    await page.goto(fleet.address(`webhooks/destinations/${id}/edit`))
    await page.getByLabel('Name').fill('SIEM')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'SIEM' }).waitFor()
    await page.getByRole('button', { name: 'Actions of SIEM' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Disable destination' }).click()
    await page.getByText('This event destination is disabled').waitFor()
    expect(await fleet.api('GET', `/v1/webhooks/destinations/${id}`)).toMatchObject({
      status: 'disabled',
      name: 'SIEM',
      config: { url: fleet.receiver.url('/siem') },
    })
    expect(problems).toEqual([])
    await opened.close()
  })
})
