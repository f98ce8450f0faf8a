import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const script = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const worldName = 'axe'

/** Which elements are checked for contrast, which takes two thirds of the time of all rules. */
export type CheckedColours = 'all' | 'of elements not checked before'

/**
 * Runs in the page: checks it. A check of all rules remembers the colours of the elements that it shows.
 * @param options of `axe.run`
 * @param onlyNew true to check the contrast of those elements alone that had not been shown in these colours
 */
const check = `async (options, onlyNew) => {
  const isShown = (element) => {
    const { width, height, left, right, bottom } = element.getBoundingClientRect()
    // axe judges nothing beside or above the screen, such as a closed drawer.
    const isOnScreen = width > 1 && height > 1 && right > 0 && left < innerWidth && bottom + scrollY > 0
    return isOnScreen && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }
  const coloursOf = (element) => {
    const { color, backgroundColor, opacity } = getComputedStyle(element)
    return [color, backgroundColor, opacity].join()
  }
  const before = (globalThis.coloursBefore ??= new WeakMap())
  const isChecked = options.runOnly === undefined && !onlyNew
  const shown = isChecked || onlyNew ? [...document.body.querySelectorAll('*')].filter(isShown) : []
  const include = shown.filter((element) => before.get(element) !== coloursOf(element))
  if (isChecked) for (const element of shown) before.set(element, coloursOf(element))
  const rule = 'color-contrast'
  const all = onlyNew ? { ...options, rules: { [rule]: { enabled: false } } } : options
  const found = (await axe.run(document, all)).violations
  if (onlyNew && include.length > 0)
    found.push(...(await axe.run({ include }, { ...options, runOnly: [rule] })).violations)
  return JSON.stringify(found.filter(({ impact }) => impact !== 'minor').map(({ id, impact, nodes }) =>
    id + ' (' + impact + '): ' + nodes.slice(0, 3).map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(' | ')))
}`

/**
 * Checks a page with axe. The page's policy allows no foreign script, so axe runs in an isolated world of the browser's
 * debugging protocol.
 * @param rules names of rules; default: all
 * @param colours default: all
 * @returns one line for each violation that is serious, critical or moderate
 */
export async function findAccessibilityViolations(
  page: Page,
  rules?: readonly string[],
  colours: CheckedColours = 'all',
): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = await session.send('Page.getFrameTree')
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName,
    })
    const evaluate = (expression: string) =>
      session.send('Runtime.evaluate', {
        contextId: executionContextId,
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
    // The world of a name stays as long as the document, so a document that is checked again has axe already.
    const { result: loaded } = await evaluate('typeof axe')
    if (loaded.value === 'undefined') await evaluate(`${await script}; undefined`)
    const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
    const { result, exceptionDetails } = await evaluate(`(${check})(${JSON.stringify(options)}, ${colours !== 'all'})`)
    if (exceptionDetails) throw new Error(`axe failed: ${exceptionDetails.text}`)
    return JSON.parse(String(result.value))
  } finally {
    await session.detach()
  }
}
