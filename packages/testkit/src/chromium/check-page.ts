import { type CheckedColours, findAccessibilityViolations } from './axe.ts'
import { type Form, forms, type WatchedPage, waitForContent } from './chromium.ts'

/** Rules of axe that depend on colours. */
const rules: Partial<Record<Form, readonly string[]>> = { dark: ['color-contrast', 'link-in-text-block'] }
/**
 * A narrow page shows other controls, and axe skips those that are hidden, so every rule holds there too. The colours
 * of the others are those of the light page.
 */
const colours: Partial<Record<Form, CheckedColours>> = { narrow: 'of elements not checked before' }

/** Waits some frames for charts, which are drawn again in the new width. */
const overflowOnceDrawn = `(async () => {
  const overflow = () => document.documentElement.scrollWidth - innerWidth
  for (let frames = 0; frames < 120 && overflow() > 0; frames++)
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  return overflow()
})()`

export interface CheckOptions {
  /** See `waitForContent`. */
  skeletons?: 'replaced' | 'kept'
  /** Called when the page is shown in a form. */
  onForm?: (form: Form) => Promise<void>
}

/** Loads an address and checks it in every form. @returns one line for each violation, error or overflow */
export async function checkPage(opened: WatchedPage, address: string, options?: CheckOptions): Promise<string[]> {
  await opened.page.setViewportSize(forms.light.viewport)
  await opened.page.goto(address)
  return checkOpenPage(opened, options)
}

/** Checks the page that is open in every form. @returns one line for each violation, error or overflow */
export async function checkOpenPage(
  { page, problems }: WatchedPage,
  { skeletons, onForm = async () => {} }: CheckOptions = {},
): Promise<string[]> {
  const found: string[] = []
  // Object.keys types every object's keys as strings; these are the keys of a constant.
  for (const form of Object.keys(forms) as Form[]) {
    const { viewport, colorScheme } = forms[form]
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await waitForContent(page, skeletons)
    const violations = await findAccessibilityViolations(page, rules[form], colours[form])
    found.push(...violations.map((violation) => `(${form}): ${violation}`))
    const overflow = Number(await page.evaluate(overflowOnceDrawn))
    if (overflow > 0) found.push(`(${form}): the page is ${overflow} pixels wider than the screen`)
    await onForm(form)
  }
  return [...found, ...problems.splice(0)]
}
