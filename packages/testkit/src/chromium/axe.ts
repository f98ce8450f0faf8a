import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const script = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const worldName = 'axe'

/**
 * Checks a page with axe. The page's policy allows no foreign script, so axe runs in an isolated world of the browser's
 * debugging protocol.
 * @param rules names of rules; default: all
 * @returns one line for each violation that is serious, critical or moderate
 */
export async function findAccessibilityViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
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
    const { result, exceptionDetails } =
      await evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      JSON.stringify(violations.filter(({ impact }) => impact !== 'minor').map(({ id, impact, nodes }) =>
        id + ' (' + impact + '): ' + nodes.slice(0, 3).map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(' | '))))`)
    if (exceptionDetails) throw new Error(`axe failed: ${exceptionDetails.text}`)
    return JSON.parse(String(result.value))
  } finally {
    await session.detach()
  }
}
