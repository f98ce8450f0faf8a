import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const script = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const worldName = 'axe'

/** Which elements are checked for contrast, which takes two thirds of the time of all rules. */
export type CheckedColours = 'all' | 'of elements not shown before'

/**
 * Runs in the page: checks it, and remembers the elements that it shows.
 * @param options of `axe.run`
 * @param onlyNew true to check the contrast of those elements alone that no check before has found shown
 */
const check = `async (options, onlyNew) => {
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }
  const shown = [...document.body.querySelectorAll('*')].filter(isShown)
  const before = (globalThis.shownBefore ??= new WeakSet())
  const include = shown.filter((element) => !before.has(element))
  for (const element of shown) before.add(element)
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
