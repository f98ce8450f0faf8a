import { afterAll, beforeAll, expect, it } from '@jest/globals'
import {
  type BrowserFleet,
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
    expect(consolePages(filled).length + unseen).toBe(countDeclaredPages())
  })

  it('has no accessibility violation, script error or policy violation in light, dark and 390 pixels', async () => {
    const { page, problems } = opened
    const found: string[] = []
    for (const { name, path } of consolePages(filled)) {
      await page.setViewportSize(forms.light.viewport)
      await page.goto(fleet.address(path))
      await waitForContent(page)
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
      for (const problem of problems.splice(0)) found.push(`${name}: ${problem}`)
    }
    expect(found).toEqual([])
  })
})
