import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type BrowserFleet, describeInChromium, startBrowserFleet } from '@wp/testkit/chromium'

let fleet: BrowserFleet

/** Runs in the page before its scripts: records every title that it shows and every address that it has. */
const recordTitlesAndPaths = `
  const titles = window.titles = [], paths = window.paths = []
  new MutationObserver(() => {
    const title = document.querySelector('h1')?.textContent
    if (title && title !== titles.at(-1)) titles.push(title)
    paths.push(location.pathname)
  }).observe(document, { subtree: true, childList: true, characterData: true })
`

describeInChromium('the sign-in of the console', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
  })
  afterAll(() => fleet.stop())

  it('leads from an address of the console through the code of a mail back to that address', async () => {
    const { page, problems, close } = await fleet.open()
    await page.goto(fleet.address(''))
    await page.waitForURL(({ pathname }) => pathname === '/console/sign-in')
    await fleet.signInOn(page)
    expect(new URL(page.url()).pathname).toBe(fleet.address(''))
    expect(problems).toEqual([])
    await close()
  })

  it('keeps the parameters of the address, and loads the application without loading the document again', async () => {
    const { page, problems, close } = await fleet.open()
    let documents = 0
    page.on('request', (request) => {
      if (request.resourceType() === 'document') documents += 1
    })
    await page.goto(`${fleet.address('webhooks/deliveries')}?status=failed`)
    await page.waitForURL(({ pathname }) => pathname === '/console/sign-in')
    await fleet.signInOn(page)
    const { pathname, search } = new URL(page.url())
    expect([pathname, search, documents]).toEqual([fleet.address('webhooks/deliveries'), '?status=failed', 1])
    expect(problems).toEqual([])
    await close()
  })

  it('is found out while the home page loads, whose first requests are all used', async () => {
    const { page, problems, close } = await fleet.openSignedIn()
    // Ends the requests of the page that opened after the sign-in.
    await page.goto('about:blank')
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/console/api/')) sent.push(pathname + search)
    })
    await page.goto(fleet.address(''))
    await page.getByText('What do you want to do?').waitFor()
    const early = [...sent].sort()
    expect(early).toHaveLength(11)
    expect([...new Set(sent)].sort()).toEqual(early)
    expect(problems).toEqual([])
    await close()
  })

  it('is not shown to a browser with a session, not even for a moment', async () => {
    const { page, problems, close } = await fleet.openSignedIn()
    await page.addInitScript(recordTitlesAndPaths)
    await page.goto(fleet.address(''))
    await page.getByText('What do you want to do?').waitFor()
    const { titles, paths } = JSON.parse(String(await page.evaluate('JSON.stringify({ titles, paths })')))
    expect(titles).toEqual(['owner'])
    expect(new Set(paths)).toEqual(new Set([fleet.address('')]))
    expect(problems).toEqual([])
    await close()
  })

  it('is not asked for again by a link of another site, with which browsers send no strict cookie', async () => {
    const { page, problems, close } = await fleet.openSignedIn()
    await page.route('https://elsewhere.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<a href="${fleet.fleet.baseUrl}${fleet.address('data')}">link</a>`,
      }),
    )
    await page.goto('https://elsewhere.example/')
    await page.getByRole('link').click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(fleet.address('data'))
    expect(problems).toEqual(['request to another origin: https://elsewhere.example/'])
    await close()
  })
})
