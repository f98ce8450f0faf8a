import type { ServiceName } from '@wp/contracts'
import { Client } from 'pg'
import type { Browser, Page } from 'playwright-core'
import { startTestFleet, type TestFleet, type TestFleetOptions } from '../fleet/test-fleet.ts'
import { type Mailbox, startMailbox } from '../mailbox/mailbox.ts'
import { type Receiver, startReceiver } from '../receiver/receiver.ts'
import { type Form, openChromium, openPage, type WatchedPage } from './chromium.ts'

/** A whole fleet with the console, and Chromium. */
export interface BrowserFleet {
  fleet: TestFleet
  mailbox: Mailbox
  browser: Browser
  /** Receives webhooks; the fleet trusts its certificate. */
  receiver: Receiver
  workspaceId: string
  /** Opens a page that is not signed in. */
  open(form?: Form): Promise<WatchedPage>
  /** Opens a page and signs in through it, by the code of the mail. Default: the owner of the first workspace. */
  openSignedIn(form?: Form, email?: string): Promise<WatchedPage>
  /** Signs in on the sign-in page that is open. */
  signInOn(page: Page, email?: string): Promise<void>
  /** Waits for the code of the next mail to an address that `request` causes. */
  nextCode(email: string, request: () => Promise<unknown>): Promise<string>
  /** Calls the API as the service principal of the first workspace and returns `data`. @throws if it fails */
  // biome-ignore lint/suspicious/noExplicitAny: responses of any endpoint, read by tests
  api(method: string, path: string, body?: unknown): Promise<any>
  /** Uploads rows to a source of the first workspace. */
  upload(sourceId: string, rows: readonly object[]): Promise<void>
  /** Runs a statement as superuser in the database of a service. */
  query(service: ServiceName, text: string, values?: unknown[]): Promise<object[]>
  /** Makes the last sign-in of every session 11 minutes old, also in the tokens that the console has. */
  ageSignIns(): Promise<void>
  /** Returns the path of a page of the first workspace. */
  address(path: string): string
  stop(): Promise<void>
}

export const browserOwnerEmail = 'owner@example.com'

/** Starts all services, an edge, a mailbox and Chromium. */
export async function startBrowserFleet(options: TestFleetOptions = {}): Promise<BrowserFleet> {
  const [mailbox, receiver] = await Promise.all([startMailbox({ maxMails: 500 }), startReceiver()])
  const env = { ...options.env, auth: { SMTP_URL: mailbox.url, ...options.env?.auth } }
  const [fleet, browser] = await Promise.all([
    startTestFleet({ ...options, env, outbound: { OUTBOUND_CA_FILE: receiver.caFile } }),
    openChromium(),
  ])
  const { workspaceId } = fleet.owner
  const [token = ''] = await fleet.tokens(fleet.owner, 1)

  async function nextCode(email: string, request: () => Promise<unknown>): Promise<string> {
    const known = new Set(mailbox.mails)
    await request()
    const { code } = await mailbox.waitFor((mail) => mail.to === email && mail.code !== null && !known.has(mail))
    return code ?? ''
  }

  async function signInOn(page: Page, email = browserOwnerEmail): Promise<void> {
    await page.getByLabel('Email').fill(email)
    const code = await nextCode(email, () => page.getByRole('button', { name: 'Send a code' }).click())
    await page.getByLabel('Code').fill(code)
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
  }

  async function api(method: string, path: string, body?: unknown) {
    const response = await fleet.request(method, path, { as: token, ...(body === undefined ? {} : { body }) })
    if (response.status > 299) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body.data
  }

  async function query(service: ServiceName, text: string, values: unknown[] = []): Promise<object[]> {
    const client = new Client({ connectionString: fleet.databases.get(service)?.adminUrl ?? '' })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }

  const open = (form?: Form) => openPage(browser, fleet.baseUrl, form)
  return {
    fleet,
    mailbox,
    browser,
    receiver,
    workspaceId,
    open,
    signInOn,
    nextCode,
    address: (path) => `/console/${workspaceId}${path === '' ? '' : `/${path}`}`,
    async openSignedIn(form, email) {
      const opened = await open(form)
      await opened.page.goto('/console/')
      await signInOn(opened.page, email)
      return opened
    },
    api,
    query,
    async ageSignIns() {
      const aged = `authenticated_at = authenticated_at - interval '11 minutes'`
      await query('auth', `UPDATE sessions SET ${aged}`)
      // The console gets a new access token, which states the new age.
      await query('console', `UPDATE sessions SET ${aged}, access_expires_at = now()`)
    },
    upload: (sourceId, rows) => api('POST', `/v1/data/sources/${sourceId}/records`, rows),
    async stop() {
      await browser.close()
      await fleet.stop()
      await Promise.all([mailbox.close(), receiver.close()])
    },
  }
}
