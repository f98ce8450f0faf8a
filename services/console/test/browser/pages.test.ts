import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  type BrowserFleet,
  type ConsolePage,
  checkOpenPage,
  checkPage,
  consolePages,
  countDeclaredPages,
  describeInChromium,
  type FilledWorkspace,
  startBrowserFleet,
  type WatchedPage,
} from '@wp/testkit/chromium'
import { openWithin } from './fixture/open-within.ts'
import { describeHostileContent, fillWithMarks } from './hostile-content.ts'

const areas = [
  '',
  'buildings',
  'teams',
  'scenarios',
  'plans',
  'datasets',
  'developer',
  'webhooks',
  'data',
  'search',
  'forecasts',
  'recommendations',
  'agents',
  'integrations',
  'members',
  'variables',
  'settings',
  'audit',
  'usage',
  'notifications',
  'health',
]

let fleet: BrowserFleet
let filled: FilledWorkspace
let opened: WatchedPage

// Both visit every page. They share the workspace, because it takes many seconds to fill.
describeInChromium('in a workspace with resources of every kind', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
    ;({ filled, opened } = await fillWithMarks(fleet))
  })
  afterAll(() => fleet?.stop())

  describe('a page of the console', describePages)
  describeHostileContent()
})

function describePages(): void {
  it('is checked for every route that the areas declare', () => {
    const pages = consolePages(filled)
    expect(pages).toHaveLength(countDeclaredPages())
    expect(new Set(pages.map(areaOf))).toEqual(new Set(areas))
  })

  it.each(areas)(
    'of the area “%s” is accessible, without errors, and fits in light, dark and 390 pixels',
    async (area) => {
      const found: string[] = []
      for (const checked of consolePages(filled))
        if (areaOf(checked) === area)
          for (const problem of await check(checked)) found.push(`${checked.name} ${problem}`)
      expect(found).toEqual([])
    },
  )
}

/** Loads the page of a resource by its address, as the link of a mail does, and opens the others within the app. */
async function check({ path }: ConsolePage): Promise<string[]> {
  const address = fleet.address(path)
  const isOfResource = path === '' || Object.values(filled).some((id) => path.includes(id))
  if (isOfResource) return checkPage(opened, address)
  await openWithin(opened.page, address)
  return checkOpenPage(opened)
}

/** The first segment of the path of a page. */
const areaOf = ({ path }: ConsolePage): string => path.split(/[/?]/, 1)[0] ?? ''
