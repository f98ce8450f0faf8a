import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type BrowserFleet, describeInChromium, startBrowserFleet } from '@wp/testkit/chromium'

let fleet: BrowserFleet

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
})
