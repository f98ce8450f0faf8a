import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  type BrowserFleet,
  type ConsolePage,
  checkOpenPage,
  consolePages,
  countDeclaredPages,
  describeInChromium,
  type FilledWorkspace,
  forms,
  startBrowserFleet,
  type WatchedPage,
} from '@wp/testkit/chromium'
import { hostileTexts } from './fixture/hostile-texts.ts'
import { openWithin } from './fixture/open-within.ts'
import { fillWithMarks, findProblems, showHostileTexts, uploadHostileRecords, waitForTexts } from './hostile-content.ts'

const areas = [
  ...['', 'buildings', 'teams', 'scenarios', 'plans', 'datasets', 'developer', 'webhooks', 'data', 'search'],
  ...['forecasts', 'recommendations', 'agents', 'integrations', 'members', 'variables', 'settings', 'audit', 'usage'],
  ...['notifications', 'health'],
]

/** Pages without data of users, by name. */
const withoutTexts: ReadonlySet<string> = new Set([
  ...[
    'webhooks-new',
    'webhooks-events',
    'webhooks-destinations-new',
    'data-new',
    'integrations-new',
    'health',
    'notifications-settings',
  ],
  ...['datasets-new', 'developer-mcp', 'developer-requests', 'agents-budget'],
  ...['settings-sessions', 'settings-deletion', 'settings-sign-in'],
  ...['audit-verify', 'audit-exports', 'audit-exports-doc'],
  ...['search', 'audit', 'usage', 'usage-plan', 'usage-invoices', 'usage-invoices-invoice'],
])

/** Pages with Markdown, by name, where a part of a text can become an element of its own. */
const withMarkdown: ReadonlySet<string> = new Set(['agents-runs-agentRun'])

let fleet: BrowserFleet
let filled: FilledWorkspace
let opened: WatchedPage
describeInChromium('in a workspace with resources of every kind and hostile texts in all of them', () => {
  let checks: ReturnType<typeof startChecks>
  beforeAll(async () => {
    fleet = await startBrowserFleet()
    filled = await fillWithMarks(fleet)
    opened = await fleet.openSignedIn()
    const others: WatchedPage[] = []
    // One after the other, because their codes go to one mailbox.
    for (const _ of [2, 3, 4]) others.push(await fleet.openSignedIn())
    await fleet.query('auth', `UPDATE sessions SET user_agent = 'hostile-mark-92'`)
    for (const each of [opened, ...others]) await showHostileTexts(each)
    checks = startChecks([opened, ...others])
  })
  afterAll(() => fleet?.stop())

  it('every route that the areas declare has a page that is checked', () => {
    expect(consolePages(filled)).toHaveLength(countDeclaredPages())
    expect(new Set(consolePages(filled).map(areaOf))).toEqual(new Set(areas))
  })

  it.each(areas)(
    'every page of the area “%s” is accessible, fits in light, dark and 390 pixels, and shows the texts as text',
    async (area) => {
      const found = checks.filter(({ page }) => areaOf(page) === area).map((check) => check.found)
      expect((await Promise.all(found)).flat()).toEqual([])
    },
  )

  it('a dialog that names a hostile text keeps the order of its words', async () => {
    const { page } = opened
    await page.setViewportSize(forms.light.viewport)
    await openWithin(page, fleet.address(`data/records/${filled.recordId}`))
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('is erased at once').waitFor()
    expect(await findProblems(opened, fleet.address(`data/records/${filled.recordId}`))).toEqual([])
  })

  describe('hostile texts in stored records', () => {
    let sourceId: string
    beforeAll(async () => {
      sourceId = await uploadHostileRecords(fleet)
    })

    it.each(['data/{source}', 'search?q=hostile', 'search?q=pwned', 'data/records/{record}'])(
      'are shown as text by %s',
      async (template) => {
        const records = await fleet.api('GET', `/v1/data/sources/${sourceId}/records?limit=100`)
        expect(records).toHaveLength(hostileTexts.length + 1)
        const { record_id: recordId } = records.find(({ title }: { title: string }) => title === 'All')
        const address = fleet.address(template.replace('{source}', sourceId).replace('{record}', recordId))
        await openWithin(opened.page, address)
        // The texts themselves may run in any direction; here nothing tells them from those around them.
        const found = (await findProblems(opened, address)).filter((problem) => !problem.startsWith('reversed: '))
        expect(found).toEqual([])
        const shown = await opened.page.locator('main').textContent()
        expect(hostileTexts.filter((text) => shown?.includes(text)).length).toBeGreaterThan(10)
      },
    )
  })
})

/** Checks all pages, as many at once as there are pages of the browser: each waits half of its time. */
function startChecks(browserPages: readonly WatchedPage[]) {
  const checks = consolePages(filled).map((page) => ({ page, ...Promise.withResolvers<string[]>() }))
  const rest = checks.values()
  const checkRest = async (browserPage: WatchedPage) => {
    for (const { page, resolve } of rest) {
      const problems = await check(browserPage, page).catch((error: unknown) => [`cannot be checked: ${error}`])
      resolve(problems.map((problem) => `${page.name}: ${problem}`))
    }
  }
  void Promise.all(browserPages.map(checkRest))
  return checks.map(({ page, promise: found }) => ({ page, found }))
}

/** Loads the page of a resource by its address, as the link of a mail does, and opens the others within the app. */
async function check(browserPage: WatchedPage, { name, path }: ConsolePage): Promise<string[]> {
  const address = fleet.address(path)
  const isOfResource = path === '' || Object.values(filled).some((id) => path.includes(id))
  await browserPage.page.setViewportSize(forms.light.viewport)
  if (isOfResource) await browserPage.page.goto(address)
  else await openWithin(browserPage.page, address)
  if (!withoutTexts.has(name)) await waitForTexts(browserPage.page, path)
  const found: string[] = []
  const onForm = async (form: string) => {
    if (form === 'dark') return
    for (const problem of await findProblems(browserPage, address)) found.push(`(${form}): ${problem}`)
  }
  found.push(...(await checkOpenPage(browserPage, { onForm })))
  return found.filter((problem) => !withMarkdown.has(name) || !/in part|: reversed: /.test(problem))
}

/** The first segment of the path of a page. */
const areaOf = ({ path }: ConsolePage): string => path.split(/[/?]/, 1)[0] ?? ''
