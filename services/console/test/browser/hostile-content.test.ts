import { afterAll, beforeAll, expect, it } from '@jest/globals'
import {
  type BrowserFleet,
  consolePages,
  describeInChromium,
  type FilledWorkspace,
  fillWorkspace,
  startBrowserFleet,
  waitForContent,
} from '@wp/testkit/chromium'
import { hostileTexts } from './fixture/hostile-texts.ts'

let fleet: BrowserFleet
let filled: FilledWorkspace

/** All hostile texts that a name of 100 characters can hold, in turn, so that every kind of resource has some. */
const short = hostileTexts.filter((text) => text.length <= 70)

describeInChromium('hostile content', () => {
  beforeAll(async () => {
    fleet = await startBrowserFleet()
    filled = await fillWorkspace(fleet, { text: (index) => short[index % short.length] ?? '' })
    // One record with every text: as title, as address and as a value; and one endpoint that answers with all of them.
    const { data_source_id: sourceId } = await fleet.api('POST', '/v1/data/sources', {
      name: 'Hostile records',
      provider: 'upload',
      config: { title_field: 'title', url_field: 'url', text_field: 'text' },
    })
    await fleet.upload(
      sourceId,
      hostileTexts.map((text) => ({ title: `hostile ${text}`, url: text, text: `hostile ${text}`, value: text })),
    )
  })
  afterAll(() => fleet?.stop())

  it('is shown as text on every page: no script, no request elsewhere, no change of the page', async () => {
    const { page, problems } = await fleet.openSignedIn()
    const found: string[] = []
    const hostileSource = (await fleet.api('GET', '/v1/data/sources')).find(
      ({ name }: { name: string }) => name === 'Hostile records',
    ).data_source_id
    const records = await fleet.api('GET', `/v1/data/sources/${hostileSource}/records?limit=100`)
    const paths = [
      ...consolePages(filled).map(({ path }) => path),
      `data/${hostileSource}`,
      'search?q=hostile',
      ...records.map(({ record_id }: { record_id: string }) => `data/records/${record_id}`),
    ]
    expect(records).toHaveLength(hostileTexts.length)
    for (const path of paths) {
      await page.goto(fleet.address(path))
      await waitForContent(page)
      const state = await page.evaluate(`({
        title: document.title,
        injected: [...document.querySelectorAll('script:not([src^="/console/assets/"]), iframe, object, embed, base, meta[http-equiv], marquee, math, video, style, link[href*="evil"]')].map(({ outerHTML }) => outerHTML.slice(0, 100)),
        unsafeLinks: [...document.querySelectorAll('a[href]')].map(({ href }) => href).filter((href) => !/^https?:/.test(href)),
        polluted: Object.keys(Object.prototype).length,
      })`)
      const clean = { injected: [], unsafeLinks: [], polluted: 0, title: expect.not.stringMatching(/^pwned/) }
      try {
        expect(state).toEqual(clean)
        expect(problems.splice(0)).toEqual([])
      } catch (error) {
        found.push(`${path}: ${error instanceof Error ? error.message : error}`)
      }
    }
    expect(found).toEqual([])
  })
})
