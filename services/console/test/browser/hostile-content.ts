import { beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import {
  type BrowserFleet,
  consolePages,
  type FilledWorkspace,
  fillWorkspace,
  forms,
  type Page,
  type WatchedPage,
} from '@wp/testkit/chromium'
import { hostileTexts } from './fixture/hostile-texts.ts'
import { inspectPage } from './fixture/inspect-page.ts'
import { openWithin } from './fixture/open-within.ts'

/**
 * Names hold 100 characters, so the fleet stores a mark in their place, and the responses on the way to the page get
 * all hostile texts for it.
 */
const mark = /hostile-mark-\d+/g
const begin = 'hostile-begin '
const whole = `${begin}${hostileTexts.join(' ')} hostile-end`

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
  ...['datasets-new', 'developer-requests', 'agents-budget'],
  ...['settings-sessions', 'settings-deletion', 'settings-sign-in'],
  ...['audit-verify', 'audit-exports', 'audit-exports-doc'],
  ...['search', 'audit', 'usage', 'usage-plan', 'usage-invoices', 'usage-invoices-invoice'],
])

/** Pages with Markdown, by name, where a part of a text can become an element of its own. */
const withMarkdown: ReadonlySet<string> = new Set(['agents-runs-agentRun'])

/** A workspace with a mark in every name and value, and a page that a member has opened. */
export interface MarkedWorkspace {
  fleet: BrowserFleet
  filled: FilledWorkspace
  opened: WatchedPage
}

let fleet: BrowserFleet
let filled: FilledWorkspace
let opened: WatchedPage

/** Fills the workspace of a fleet with marks, also in names that are not part of a resource. */
export async function fillWithMarks(started: BrowserFleet): Promise<MarkedWorkspace> {
  fleet = started
  await fleet.query('auth', `UPDATE users SET name = 'Owner hostile-mark-91'`)
  ;[filled, opened] = await Promise.all([
    fillWorkspace(fleet, { text: (index) => `hostile-mark-${index}` }),
    fleet.openSignedIn(),
  ])
  await fleet.api('PATCH', '/v1/system/workspace', { name: 'Workspace hostile-mark-90' })
  filled.logId = await findLog('role.created')
  filled.requestId = await findDelivery('RECOMMENDATION_CREATED')
  await fleet.query('auth', `UPDATE sessions SET user_agent = 'hostile-mark-92'`)
  return { fleet, filled, opened }
}

/** Puts hostile texts in the place of the marks, on the way to the page. The last tests of the workspace. */
export function describeHostileContent(): void {
  describe('hostile content', describeTexts)
}

function describeTexts(): void {
  let hostileSourceId: string
  beforeAll(async () => {
    hostileSourceId = await uploadHostileRecords()
    await opened.page.route('**/console/api/**', async (route) => {
      const { accept = '' } = route.request().headers()
      // A stream has no end to wait for, and results of a search are HTML, which the API has escaped.
      if (accept.includes('event-stream') || route.request().url().includes('/search')) return route.continue()
      const response = await route.fetch()
      await route.fulfill({ response, body: withTexts(await response.text()) })
    })
    await opened.page.goto(fleet.address(''))
  })

  it('is shown as text by every page, beside its own texts, without scripts, requests or elements', async () => {
    const { page } = opened
    const found: string[] = []
    for (const { name, path } of consolePages(filled)) {
      await openWithin(page, fleet.address(path))
      if (!withoutTexts.has(name)) await waitForTexts(path)
      const problems = await findProblems(path)
      await page.setViewportSize(forms.narrow.viewport)
      await waitForLayout(page)
      problems.push(...(await findProblems(`${path} (narrow)`)))
      found.push(...problems.filter((problem) => !withMarkdown.has(name) || !/in part|: reversed: /.test(problem)))
      await page.setViewportSize(forms.light.viewport)
    }
    expect(found).toEqual([])
  })

  it('cannot reorder the words of a dialog that names it', async () => {
    const { page } = opened
    await openWithin(page, fleet.address(`data/records/${filled.recordId}`))
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('is erased at once').waitFor()
    expect(await findProblems(`data/records/${filled.recordId} (dialog)`)).toEqual([])
  })

  it.each(['data/{source}', 'search?q=hostile', 'search?q=pwned', 'data/records/{record}'])(
    'is shown as text in stored records by %s',
    async (template) => {
      const records = await fleet.api('GET', `/v1/data/sources/${hostileSourceId}/records?limit=100`)
      expect(records).toHaveLength(hostileTexts.length + 1)
      const { record_id: recordId } = records.find(({ title }: { title: string }) => title === 'All')
      const path = template.replace('{source}', hostileSourceId).replace('{record}', recordId)
      await openWithin(opened.page, fleet.address(path))
      // The texts themselves may run in any direction; here nothing tells them from those around them.
      const found = (await findProblems(path)).filter((problem) => !problem.includes(': reversed: '))
      expect(found).toEqual([])
      const shown = await opened.page.locator('main').textContent()
      expect(hostileTexts.filter((text) => shown?.includes(text)).length).toBeGreaterThan(10)
    },
  )
}

/** Puts the texts in place of their marks into JSON, also into JSON that is a text of it. */
function withTexts(text: string): string {
  if (!/^[[{]/.test(text)) return text.replaceAll(mark, () => whole)
  try {
    return JSON.stringify(JSON.parse(text), (_key, value) => (typeof value === 'string' ? withTexts(value) : value))
  } catch {
    return text.replaceAll(mark, () => whole)
  }
}

/** Waits for a delivery of an event, whose body has texts of users. @returns its request id */
async function findDelivery(event: string): Promise<string> {
  const path = `/v1/webhooks/webhooks/${filled.webhookId}/deliveries?status=delivered&event=${event}&limit=1`
  const find = async () => (await fleet.api('GET', path))[0]?.request_id
  return eventually(find, { description: `a delivery of ${event}`, intervalMs: 200 })
}

/** Waits for a record of the audit log. @returns its id */
async function findLog(action: string): Promise<string> {
  const find = async () => (await fleet.api('GET', `/v1/audit/logs?action=${action}`))[0]?.id
  return eventually(find, { description: `an audit record of ${action}`, intervalMs: 200 })
}

const waitForTexts = (path: string) =>
  eventually(async () => (await inspectPage(opened.page, begin, whole)).shown > 0, {
    description: `the texts on the page ${path}`,
    intervalMs: 100,
  })

/** One record for each text, as title, address and value, and one with every text as a field. @returns their source */
async function uploadHostileRecords(): Promise<string> {
  const { data_source_id: sourceId } = await fleet.api('POST', '/v1/data/sources', {
    name: 'Hostile records',
    provider: 'upload',
    config: { key: 'id', title_field: 'title', url_field: 'url', text_field: 'text' },
  })
  const rows = hostileTexts.map((text, index) => ({
    id: `${index}`,
    title: `hostile ${text}`,
    url: text,
    text: `hostile ${text}`,
  }))
  const all = Object.fromEntries(hostileTexts.map((text, index) => [`field ${index}`, text]))
  await fleet.upload(sourceId, [...rows, { id: 'all', title: 'All', text: 'All', ...all }])
  return sourceId
}

/** Waits some frames for charts, which are drawn again in the new width. */
const waitForLayout = (page: Page) =>
  page.evaluate(`(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    await nextFrame()
    for (let frames = 0; frames < 120 && document.documentElement.scrollWidth > innerWidth; frames++) await nextFrame()
  })()`)

async function findProblems(path: string): Promise<string[]> {
  const found = opened.problems.splice(0)
  const state = await inspectPage(opened.page, begin, whole)
  if (/^pwned/.test(state.title)) found.push('a script has changed the title')
  const expected = path.replace(/[ ?].*/, '')
  if (!state.path.startsWith(fleet.address(expected))) found.push(`it has moved to ${state.path}`)
  if (state.shown < state.begun) found.push(`it shows ${state.begun - state.shown} texts in part`)
  if (state.overflow > 0) found.push(`it is ${state.overflow} pixels wider than the screen: ${state.widest}`)
  for (const key of ['injected', 'unsafeLinks', 'reversed'] as const)
    for (const item of state[key]) found.push(`${key}: ${item}`)
  return found.map((problem) => `${path}: ${problem}`)
}
