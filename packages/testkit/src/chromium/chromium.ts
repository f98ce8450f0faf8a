import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/**
 * The headless shell comes first. It has the same engine, but not the pages of Chromium's own interface: without a
 * window these are loaded too, by each new page, and take more of the processors than the page itself.
 */
const knownPaths = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/** Returns the path of Chromium: `CHROMIUM`, or that of the system; undefined if there is none. */
export const findChromium = (): string | undefined =>
  process.env.CHROMIUM ?? knownPaths.find((path) => existsSync(path))

/** Starts Chromium without a window. */
export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] })

/** The three forms in which every page is checked. */
export const forms = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true },
} as const

export type Form = keyof typeof forms

/**
 * A page that records what must not happen: errors of scripts, refused resources, dialogs, requests to other origins.
 */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  /** One line for each problem. */
  problems: string[]
  close(): Promise<void>
}

/**
 * Ends a wait for something that never happens. Generous, because the machine may be shared; shorter to find errors.
 */
const waitTimeoutMs = Number(process.env.WP_TEST_WAIT_MS ?? 120_000)

/** Opens a page in a browser profile of its own. */
export async function openPage(browser: Browser, baseUrl: string, form: Form = 'light'): Promise<WatchedPage> {
  const context = await browser.newContext({
    ...forms[form],
    baseURL: baseUrl,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(waitTimeoutMs)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`script error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|Trusted ?Type|Refused to/i.test(text)) problems.push(`policy violation: ${text}`)
  })
  page.on('dialog', async (dialog) => {
    if (dialog.type() !== 'beforeunload') problems.push(`dialog: ${dialog.message()}`)
    await dialog.accept()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseUrl) && !url.startsWith('data:') && !url.startsWith('blob:'))
      problems.push(`request to another origin: ${url}`)
  })
  return { page, context, problems, close: () => context.close() }
}

/**
 * An inherited value that changes starts the transitions of inner elements a frame later, so one look is not enough.
 */
const transitionsEnd = `(async () => {
  for (let quietFrames = 0; quietFrames < 3; quietFrames += 1) {
    await new Promise(requestAnimationFrame)
    const running = document.getAnimations().filter(({ playState }) => playState !== 'finished')
    if (running.length > 0) quietFrames = -1
    await Promise.all(running.map(({ finished }) => finished.catch(() => {})))
  }
})()`

/**
 * Waits until a page has loaded its data and its changes of style have ended. Streams and polls may go on.
 * @param skeletons `kept` for a page whose skeletons are examples, which stay
 */
export async function waitForContent(page: Page, skeletons: 'replaced' | 'kept' = 'replaced'): Promise<void> {
  await page.locator('h1').first().waitFor()
  if (skeletons === 'replaced') await page.locator('[class*="_skeleton_"]').first().waitFor({ state: 'detached' })
  await page.evaluate(transitionsEnd)
}
