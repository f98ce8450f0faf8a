import { afterAll, beforeAll, expect, it } from '@jest/globals'
import {
  checkOpenPage,
  checkPage,
  describeInChromium,
  openChromium,
  openPage,
  type WatchedPage,
} from '@wp/testkit/chromium'
import { startDocsServer } from './fixture/docs-server.ts'
import { readSite } from './fixture/site.ts'

const pages = [
  '/docs',
  '/docs/quickstart',
  '/docs/errors',
  '/docs/errors/missing_scope',
  '/docs/api',
  '/docs/api/data',
  '/docs/api/data/create-source',
  '/docs/events/FORECASTING_FINISHED',
  '/docs/none',
]

let server: Awaited<ReturnType<typeof startDocsServer>>
let browser: Awaited<ReturnType<typeof openChromium>>
let opened: WatchedPage

describeInChromium('the documentation in a browser', () => {
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([readSite().then(startDocsServer), openChromium()])
    opened = await openPage(browser, server.baseUrl)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(pages)('%s is accessible, without errors, and fits in light, dark and 390 pixels', async (path) => {
    expect(await checkPage(opened, path)).toEqual([])
  })

  it('is not accessible when a control that a narrow screen alone shows has no name or too pale a text', async () => {
    const { page } = opened
    await page.goto('/docs')
    await page.evaluate(`{
      const button = document.querySelector('button[aria-label="Navigation"]')
      button.removeAttribute('aria-label')
      const pale = button.cloneNode()
      pale.textContent = 'Menu'
      Object.assign(pale.style, { position: 'fixed', top: '50%', width: '9em', color: '#eee', background: '#fff' })
      button.after(pale)
    }`)
    expect(await checkOpenPage(opened)).toEqual([
      expect.stringMatching(/^\(narrow\): button-name/),
      expect.stringMatching(/^\(narrow\): color-contrast/),
    ])
  })

  it('finds a page by the keyboard alone', async () => {
    const { page, problems } = await openPage(browser, server.baseUrl)
    await page.goto('/docs')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('create source')
    // the operation comes first, the part of the quickstart after it
    const [operation, guide] = [/^Create a data source API/, /^Create a data source Get/]
    await page.getByRole('option', { name: operation, selected: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: guide, selected: true }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/data/create-source')
    await page.goto('/docs/quickstart')
    await page.keyboard.press('/')
    await page.keyboard.type('zzzz')
    await page.getByText('Nothing found for “zzzz”.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('shows examples in the chosen language on every page, with the address of the installation', async () => {
    const { page, context } = await openPage(browser, server.baseUrl)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/docs/quickstart')
    await page.getByRole('tab', { name: 'curl' }).first().focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.getByRole('tab', { name: 'Python', selected: true }).count()).toBeGreaterThan(3)
    await page.goto('/docs/api/data/create-source')
    await page.getByRole('tab', { name: 'Python', selected: true }).waitFor()
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`Client("${server.baseUrl}", `)
  })

  it('keeps the chosen colour scheme', async () => {
    const { page } = await openPage(browser, server.baseUrl)
    await page.goto('/docs')
    await page.getByRole('button', { name: 'Use dark colours' }).click()
    await page.goto('/docs/errors')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByRole('button', { name: 'Use light colours' }).waitFor()
  })

  it('opens the navigation as a drawer on a phone, and closes it with Escape', async () => {
    const { page } = await openPage(browser, server.baseUrl, 'narrow')
    await page.goto('/docs/quickstart')
    const navigation = page.getByRole('navigation', { name: 'Documentation' })
    await navigation.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Navigation' }).click()
    await navigation.getByRole('link', { name: 'Errors' }).waitFor()
    await page.keyboard.press('Escape')
    await navigation.waitFor({ state: 'hidden' })
  })
})
