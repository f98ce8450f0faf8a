import { afterAll, beforeAll, expect, it } from '@jest/globals'
import {
  type BrowserFleet,
  type ConsolePage,
  consolePages,
  countDeclaredPages,
  describeInChromium,
  type FilledWorkspace,
  type Form,
  fillWorkspace,
  findAccessibilityViolations,
  forms,
  startBrowserFleet,
  type WatchedPage,
  waitForContent,
} from '@wp/testkit/chromium'

/** The document is the same in the three forms; these rules depend on colours or on the layout. */
const rulesOfForm: Partial<Record<Form, readonly string[]>> = {
  dark: ['color-contrast', 'link-in-text-block'],
  narrow: ['color-contrast', 'link-in-text-block', 'region', 'scrollable-region-focusable', 'target-size'],
}

const areas = [
  '',
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

const formNames = ['light', 'dark', 'narrow'] as const

let fleet: BrowserFleet
let filled: FilledWorkspace
let opened: WatchedPage

describeInChromium('a page of the console', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
    ;[filled, opened] = await Promise.all([fillWorkspace(fleet), fleet.openSignedIn()])
  })
  afterAll(() => fleet?.stop())

  it('is checked for every route that the areas declare', () => {
    const unseen = filled.invoiceId === '' ? 1 : 0
    const pages = consolePages(filled)
    expect(pages.length + unseen).toBe(countDeclaredPages())
    expect(new Set(pages.map(areaOf))).toEqual(new Set(areas))
  })

  it.each(areas)(
    'of the area “%s” is accessible, without errors, and fits in light, dark and 390 pixels',
    async (area) => {
      const found: string[] = []
      for (const checked of consolePages(filled))
        if (areaOf(checked) === area) for (const problem of await checkPage(checked)) found.push(problem)
      expect(found).toEqual([])
    },
  )
})

/** The first segment of the path of a page. */
const areaOf = ({ path }: ConsolePage): string => path.split(/[/?]/, 1)[0] ?? ''

/** Returns one line for each violation, error or overflow of a page. */
async function checkPage({ name, path }: ConsolePage): Promise<string[]> {
  const { page, problems } = opened
  const found: string[] = []
  await page.setViewportSize(forms.light.viewport)
  await page.goto(fleet.address(path))
  for (const form of formNames) {
    const { viewport, colorScheme } = forms[form]
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await waitForContent(page)
    for (const violation of await findAccessibilityViolations(page, rulesOfForm[form]))
      found.push(`${name} (${form}): ${violation}`)
    const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    if (overflow > 0) found.push(`${name} (${form}): the page is ${overflow} pixels wider than the screen`)
  }
  return [...found, ...problems.splice(0).map((problem) => `${name}: ${problem}`)]
}
