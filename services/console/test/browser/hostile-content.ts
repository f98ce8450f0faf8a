import { eventually } from '@wp/testkit'
import {
  type BrowserFleet,
  type FilledWorkspace,
  fillWorkspace,
  type Page,
  type WatchedPage,
} from '@wp/testkit/chromium'
import { hostileTexts } from './fixture/hostile-texts.ts'
import { inspectPage } from './fixture/inspect-page.ts'

/**
 * Names hold 100 characters, so the fleet stores a mark in their place, and the responses on the way to the page get
 * all hostile texts for it.
 */
const mark = /hostile-mark-\d+/g
const begin = 'hostile-begin '
const whole = `${begin}${hostileTexts.join(' ')} hostile-end`

/** Fills the workspace of a fleet with marks, also in names that are not part of a resource. */
export async function fillWithMarks(fleet: BrowserFleet): Promise<FilledWorkspace> {
  await fleet.query('auth', `UPDATE users SET name = 'Owner hostile-mark-91'`)
  const filled = await fillWorkspace(fleet, { text: (index) => `hostile-mark-${index}` })
  await fleet.api('PATCH', '/v1/system/workspace', { name: 'Workspace hostile-mark-90' })
  const { webhookId } = filled
  const deliveries = `/v1/webhooks/webhooks/${webhookId}/deliveries?status=delivered&event=RECOMMENDATION_CREATED&limit=1`
  filled.logId = await findFirst(fleet, '/v1/audit/logs?action=role.created', 'id')
  // The body of the event has texts of users.
  filled.requestId = await findFirst(fleet, deliveries, 'request_id')
  return filled
}

/** Puts hostile texts in the place of the marks, on the way to the page. */
export async function showHostileTexts({ page }: WatchedPage): Promise<void> {
  await page.route('**/console/api/**', async (route) => {
    const { accept = '' } = route.request().headers()
    // A stream has no end to wait for, and results of a search are HTML, which the API has escaped.
    if (accept.includes('event-stream') || route.request().url().includes('/search')) return route.continue()
    const response = await route.fetch()
    await route.fulfill({ response, body: withTexts(await response.text()) })
  })
  await page.reload()
}

/** Waits for the first item of a list. @returns its value of a field */
const findFirst = (fleet: BrowserFleet, path: string, field: string): Promise<string> =>
  eventually(async () => (await fleet.api('GET', path))[0]?.[field], { description: path, intervalMs: 200 })

export const waitForTexts = (page: Page, path: string) =>
  eventually(async () => (await inspectPage(page, begin, whole)).shown > 0, {
    description: `the texts on the page ${path}`,
    intervalMs: 100,
  })

/** Puts the texts in place of their marks into JSON, also into JSON that is a text of it. */
function withTexts(text: string): string {
  if (!/^[[{]/.test(text)) return text.replaceAll(mark, () => whole)
  try {
    return JSON.stringify(JSON.parse(text), (_key, value) => (typeof value === 'string' ? withTexts(value) : value))
  } catch {
    return text.replaceAll(mark, () => whole)
  }
}

/** One record for each text, as title, address and value, and one with every text as a field. @returns their source */
export async function uploadHostileRecords(fleet: BrowserFleet): Promise<string> {
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

/** Inspects the open page, which must still be that of the address. @returns one line for each problem */
export async function findProblems({ page, problems }: WatchedPage, address: string): Promise<string[]> {
  const found = problems.splice(0)
  const state = await inspectPage(page, begin, whole)
  if (/^pwned/.test(state.title)) found.push('a script has changed the title')
  if (!state.path.startsWith(address)) found.push(`it has moved to ${state.path}`)
  if (state.shown < state.begun) found.push(`it shows ${state.begun - state.shown} texts in part`)
  if (state.overflow > 0) found.push(`it is ${state.overflow} pixels wider than the screen: ${state.widest}`)
  for (const key of ['injected', 'unsafeLinks', 'reversed'] as const)
    for (const item of state[key]) found.push(`${key}: ${item}`)
  return found
}
