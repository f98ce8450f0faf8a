import { eventually } from '../eventually.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'

interface User {
  mailbox: Mailbox
  email: string
}

/**
 * Opens an authorization request in a new browser, signs the user in by the code of the mail, and allows the client.
 * @returns the address to which the browser is sent
 */
export async function allowClient(address: URL, { mailbox, email }: User): Promise<string> {
  const cookies = new Map<string, string>()
  async function send(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(form === undefined ? {} : { 'sec-fetch-site': 'same-origin' }),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const field of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(field) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  const endpoint = address.origin + address.pathname
  const signInPage = await send(address.href)
  const errorRedirect = signInPage.headers.get('location')
  if (errorRedirect !== null) return errorRedirect
  const known = new Set(mailbox.mails)
  const codePage = await send(`${endpoint}/login`, { ...(await hiddenFieldsOf(signInPage)), email })
  const mail = await eventually(() =>
    mailbox.mails.find((one) => !known.has(one) && one.to === email && one.code !== null),
  )
  const signedIn = await send(`${endpoint}/verify`, { ...(await hiddenFieldsOf(codePage)), code: mail.code ?? '' })
  const consentPage = await send(signedIn.headers.get('location') ?? '')
  const allowed = await send(endpoint, { ...(await hiddenFieldsOf(consentPage)), decision: 'approve' })
  const location = allowed.headers.get('location')
  if (location === null) throw new Error(`not allowed: ${allowed.status} ${await allowed.text()}`)
  return location
}

async function hiddenFieldsOf(response: Response): Promise<Record<string, string>> {
  const fields = (await response.text()).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
}
