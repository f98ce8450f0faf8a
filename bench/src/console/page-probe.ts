import type { BrowserFleet } from '@wp/testkit/chromium-fleet'

/** Conditions under which a page is usable, as expressions in the page. */
export const usable = {
  signIn: `document.activeElement?.matches('input[type="email"]:enabled') === true`,
  workspace: `document.querySelector('nav[aria-label="Main"]') !== null && document.querySelector('main h1') !== null
    && document.querySelector('[class*="_skeleton_"]') === null`,
}

export interface PageProbe {
  /** Milliseconds from the start of the navigation to the first frame in which the page was usable. */
  usableMs: number
  /** Processor time that the main thread of the page has used by then, which does not depend on other programs. */
  processorMs: number
  /** Sum of the layout shifts that no input caused, until the page has been usable for a second. */
  layoutShift: number
  /** The elements that moved, with their share. */
  moved: string[]
  /** Addresses of the assets that the page requested. */
  assets: Set<string>
}

type Context = Awaited<ReturnType<BrowserFleet['browser']['newContext']>>

const settleMs = 1_000

/** Loads an address in a new page. @param cpuSlowdown how many times slower the processor of the page is */
export async function probePage(
  context: Context,
  { address, isUsable, cpuSlowdown }: { address: string; isUsable: string; cpuSlowdown: number },
): Promise<PageProbe> {
  const page = await context.newPage()
  try {
    const assets = new Set<string>()
    page.on('request', (request) => {
      if (request.url().includes('/console/assets/')) assets.add(request.url())
    })
    const debugging = await context.newCDPSession(page)
    await debugging.send('Performance.enable', { timeDomain: 'threadTicks' })
    await debugging.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await page.addInitScript(observerOf(isUsable))
    await page.goto(address)
    // The page's policy forbids scripts of others, but not expressions of the debugging protocol.
    const usableMs = Number(
      await page.evaluate('new Promise((resolve) => { probe.onUsable = resolve; probe.check() })'),
    )
    const { metrics } = await debugging.send('Performance.getMetrics')
    const processorMs = 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
    await page.waitForTimeout(settleMs)
    const { shift, moved } = JSON.parse(String(await page.evaluate('JSON.stringify(probe)')))
    return { usableMs, processorMs, layoutShift: shift, moved, assets }
  } finally {
    await page.close()
  }
}

/** Runs before the scripts of the page: looks at each change until the page is usable, and sums layout shifts. */
const observerOf = (isUsable: string): string => `
  const probe = window.probe = { shift: 0, moved: [], usableMs: 0, onUsable: null, check() { if (this.usableMs > 0) this.onUsable?.(this.usableMs) } }
  let isAwaited = false
  const onFrame = () => {
    isAwaited = false
    if (probe.usableMs > 0 || !(${isUsable})) return
    observer.disconnect()
    requestAnimationFrame(() => { probe.usableMs = performance.now(); probe.check() })
  }
  const onChange = () => {
    if (!isAwaited) requestAnimationFrame(onFrame)
    isAwaited = true
  }
  const observer = new MutationObserver(onChange)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
  document.addEventListener('focusin', onChange)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue
      probe.shift += entry.value
      const nodes = entry.sources.map(({ node }) => node?.nodeName + '.' + (node?.className ?? ''))
      probe.moved.push(entry.value.toFixed(4) + ' at ' + Math.round(entry.startTime) + ' ms: ' + nodes.join(', '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
`
