import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import {
  type BrowserFleet,
  browserOwnerEmail,
  describeInChromium,
  startBrowserFleet,
  type WatchedPage,
} from '@wp/testkit/chromium'

let fleet: BrowserFleet
let opened: WatchedPage

describeInChromium('the console, when something goes wrong', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
    opened = await fleet.openSignedIn()
  })
  afterAll(() => fleet?.stop())

  it('asks to sign in above a form when the session was ended elsewhere, and keeps what was typed', async () => {
    const { page, problems, close } = await fleet.openSignedIn()
    await page.goto(fleet.address('webhooks/new'))
    await page.getByLabel('Description').fill('typed before')
    await page.getByRole('textbox', { name: 'Endpoint' }).fill(fleet.receiver.url('/late'))
    await page.getByRole('radio', { name: /^All events/ }).check()
    await opened.page.goto(fleet.address('settings/sessions'))
    await opened.page.getByRole('button', { name: 'End 1 other session' }).click()
    await opened.page.getByRole('dialog').getByRole('button', { name: 'End 1 session' }).click()
    await opened.page.getByText('Ended 1 session').first().waitFor()

    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    expect(await dialog.getByLabel('Email').inputValue()).toBe(browserOwnerEmail)
    const code = await fleet.nextCode(browserOwnerEmail, () =>
      dialog.getByRole('button', { name: 'Send a code' }).click(),
    )
    expect(await fleet.api('GET', '/v1/webhooks/webhooks')).toEqual([])
    await dialog.getByLabel('Code').fill(code)
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Description').inputValue()).toBe('typed before')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('dialog', { name: 'The webhook is ready' }).waitFor()
    const [created] = await fleet.api('GET', '/v1/webhooks/webhooks')
    expect(created.description).toBe('typed before')
    expect(problems).toEqual([])
    await close()
  })

  it('says that the network was lost in the middle of an upload, and counts right when it is repeated', async () => {
    const uploading = await fleet.openSignedIn()
    const { page, context, problems, close } = uploading
    // More than the platform reads before it stores the first row.
    const rowCount = 10_000
    const source = await fleet.api('POST', '/v1/data/sources', { name: 'Large upload', provider: 'upload' })
    const storedRows = async (): Promise<number> =>
      (await fleet.api('GET', `/v1/data/sources/${source.data_source_id}`)).record_count
    await page.goto(fleet.address(`data/${source.data_source_id}`))
    await page.locator('input[type=file]').waitFor({ state: 'attached' })
    const rows = Array.from({ length: rowCount }, (_, index) => `${index},${'x'.repeat(720)}`)
    await page.locator('input[type=file]').setInputFiles({
      name: 'large.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['key,text', ...rows].join('\n')),
    })
    const upload = page.getByRole('button', { name: 'Upload 10,000 rows' })
    await upload.waitFor()
    // Slow enough to be cut off when some of the rows are stored.
    const slow = await limitUpload(uploading, 700_000)
    await upload.click()
    await eventually(async () => (await storedRows()) > 0, { intervalMs: 100, description: 'the first stored rows' })
    await context.setOffline(true)
    const list = page.getByRole('list', { name: 'Uploads' })
    await list.getByText('The upload was interrupted').waitFor()
    await list.getByText('Rows that are stored stay').waitFor()
    const storedBefore = await storedRows()
    expect(storedBefore).toBeLessThan(rowCount)

    await context.setOffline(false)
    await slow.end()
    await list.getByRole('button', { name: 'Continue' }).click()
    await list.getByText('10,000 rows read').waitFor()
    // They follow when the upload has ended.
    let shown = ''
    const findCounts = async () => {
      shown = (await list.textContent()) ?? ''
      return /rows read: (?:([\d,]+) new)?(?:, )?(?:([\d,]+) unchanged)?/.exec(shown)
    }
    const counts = await eventually(findCounts, { description: () => `the counts, in: ${shown}` })
    const [created = 0, unchanged = 0] = counts.slice(1).map((count = '0') => Number(count.replaceAll(',', '')))
    expect(created + unchanged).toBe(rowCount)
    // On a busy machine the whole file had arrived, and the same key gets the counts of the first attempt.
    expect(created === rowCount || unchanged >= storedBefore).toBe(true)
    expect(await storedRows()).toBe(rowCount)
    expect(problems).toEqual([])
    await close()
  })

  it('keeps the page and what was typed when the next page cannot be loaded, and opens it later', async () => {
    const { page, context, problems, close } = await fleet.openSignedIn()
    await page.goto(fleet.address('webhooks/new'))
    await page.getByLabel('Description').fill('typed before')
    await context.setOffline(true)
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Variables' }).click()
    await page.getByText('You are offline.').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('typed before')
    expect(new URL(page.url()).pathname).toBe(fleet.address('webhooks/new'))

    await context.setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Description').inputValue()).toBe('typed before')
    await navigation.getByRole('link', { name: 'Variables' }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('heading', { name: 'Variables', level: 1 }).waitFor()
    expect(problems).toEqual([])
    await close()
  })

  it('leads from a workspace of others to the own ones, on one page', async () => {
    const { page, problems } = opened
    await page.goto(`/console/ws_${'0'.repeat(26)}/webhooks`)
    await page.getByRole('heading', { name: 'You have no access to this workspace' }).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('link', { name: /^Open / }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(fleet.address(''))
    expect(problems).toEqual([])
  })

  it('shows a change of one tab in another when that is shown', async () => {
    const { page, context, problems } = opened
    const other = await context.newPage()
    await other.goto(fleet.address('variables'))
    await other.getByText('No variables yet').waitFor()
    await page.goto(fleet.address('variables'))
    await page.getByRole('button', { name: 'Create variable' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('REGION')
    await form.getByRole('textbox', { name: 'Value' }).fill('eu')
    await form.getByRole('button', { name: 'Create variable' }).click()
    await page.getByRole('link', { name: 'REGION' }).waitFor()
    expect(await other.getByRole('link', { name: 'REGION' }).count()).toBe(0)
    // Without a window, Chromium counts every tab as visible and reports no change of it.
    await other.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await other.getByRole('link', { name: 'REGION' }).waitFor()
    expect(problems).toEqual([])
    await other.close()
  })

  it('signs every tab out when one of them signs out', async () => {
    const { page, context, problems } = opened
    const other = await context.newPage()
    await other.goto(fleet.address('variables'))
    await other.locator('h1').waitFor()
    await page.getByRole('button', { name: new RegExp(browserOwnerEmail) }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/console/sign-in')
    await other.waitForURL('**/console/sign-in')
    await other.goto(fleet.address('variables'))
    await other.waitForURL(({ pathname }) => pathname === '/console/sign-in')
    expect(problems).toEqual([])
  })
})

/** Limits the rate at which a page sends. */
async function limitUpload(
  { page, context }: WatchedPage,
  bytesPerSecond: number,
): Promise<{ end(): Promise<unknown> }> {
  const session = await context.newCDPSession(page)
  const limit = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await limit(bytesPerSecond)
  return { end: () => limit(-1) }
}
