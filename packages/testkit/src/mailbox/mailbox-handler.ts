import type { IncomingMessage, ServerResponse } from 'node:http'
import { escapeHtml, pageHeaders } from '@wp/service'
import type { Mailbox, ReceivedMail } from './mailbox.ts'

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/

/**
 * Creates a request handler that shows the mails of a mailbox, newest first, as HTML to a browser and as JSON
 * otherwise. It accepts loopback host names only, because a page of another site could otherwise read it by DNS
 * rebinding.
 */
export function createMailboxHandler(mailbox: Pick<Mailbox, 'mails'>) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { status = 200, headers, body } = renderResponse(request, mailbox.mails.toReversed())
    response.writeHead(status, { ...headers, 'cache-control': 'no-store', 'content-length': Buffer.byteLength(body) })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

interface PageResponse {
  status?: number
  headers: Record<string, string>
  body: string
}

function renderResponse({ headers, method }: IncomingMessage, mails: readonly ReceivedMail[]): PageResponse {
  const plain = { 'content-type': 'text/plain' }
  if (!loopback.test(headers.host ?? '')) return { status: 403, headers: plain, body: 'host not allowed\n' }
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, headers: { ...plain, allow: 'GET, HEAD' }, body: 'method not allowed\n' }
  if (headers.accept?.includes('text/html') === true) {
    const html = renderPage(mails)
    return { headers: pageHeaders(html), body: html }
  }
  const data = mails.map(({ headers: _, from: __, ...shown }) => shown)
  const json = { 'content-type': 'application/json; charset=utf-8' }
  return { headers: json, body: JSON.stringify({ success: true, data }) }
}

const style = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 44em; margin: 2em auto; padding: 0 1em; color: #1a1a1a }
article { border-top: 1px solid #ccc; padding: .6em 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
b { font: 1.6em ui-monospace, monospace; letter-spacing: .15em }
`

const renderPage = (mails: readonly ReceivedMail[]) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Mail</title><style>${style}</style></head>
<body>
<h1>Mail</h1>
<p>Mails that the services sent. Reload the page to see new ones.</p>
${mails.length === 0 ? '<p>No mail has been sent.</p>' : mails.map(renderMail).join('\n')}
</body>
</html>
`

const renderMail = ({ to, subject, text, link, code, received_at }: ReceivedMail) => `<article>
<h2>${escapeHtml(subject)}</h2>
<p>to ${escapeHtml(to)}, ${escapeHtml(received_at)}</p>
${code === null ? '' : `<p><b>${escapeHtml(code)}</b></p>`}
${link === null ? '' : `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`}
<pre>${escapeHtml(text)}</pre>
</article>`
