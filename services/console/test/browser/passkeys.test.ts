import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { findFreePort } from '@wp/testkit'
import { type BrowserFleet, describeInChromium, openPage, startBrowserFleet } from '@wp/testkit/chromium'

let fleet: BrowserFleet
/** Passkeys are bound to a host name, which an IP address is not. */
let baseUrl: string

describeInChromium('a passkey', () => {
  beforeAll(async () => {
    const port = await findFreePort()
    baseUrl = `http://localhost:${port}`
    const env = { PUBLIC_BASE_URL: baseUrl }
    fleet = await startBrowserFleet({
      port: (name) => (name === 'gateway' ? port : undefined),
      services: ['auth', 'console'],
      env: { auth: env, console: env, gateway: env },
    })
  })
  afterAll(() => fleet.stop())

  it('is added, signs in without an address, and confirms a protected change', async () => {
    const { page, context, problems, close } = await openPage(fleet.browser, baseUrl)
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    // A virtual authenticator answers the suggestions of the address field at once, before the button is pressed.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    await page.goto('/console/sign-in')
    await fleet.signInOn(page)
    await page.goto(fleet.address('settings/sessions'))
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('table', { name: 'Passkeys' }).getByText('Chrome on Linux').waitFor()

    await context.clearCookies()
    await page.goto('/console/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
    await page.goto(fleet.address('settings/sessions'))
    await page.getByRole('table', { name: 'Sessions' }).getByRole('cell', { name: 'Passkey', exact: true }).waitFor()

    await fleet.ageSignIns()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkey yet.').waitFor()
    const policy = problems.filter((problem) => !problem.includes('503'))
    expect(policy).toEqual([])
    await close()
  })
})
