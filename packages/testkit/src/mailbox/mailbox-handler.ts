import type { IncomingMessage, ServerResponse } from 'node:http'
import { pageHeaders } from '@wp/service'
import type { Mailbox, ReceivedMail } from './mailbox.ts'

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/

/**
 * Shows what a mailbox holds, newest first: as a page to a browser, as JSON to everything else. To this machine alone:
 * another site whose name was pointed at it (DNS rebinding) still sends that name.
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
  if (!loopback.test(headers.host ?? '')) return { status: 403, headers: plain, body: 'not by this name\n' }
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, headers: { ...plain, allow: 'GET, HEAD' }, body: 'to be read only\n' }
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
<p>What this machine would have sent. Load the page again for more.</p>
${mails.length === 0 ? '<p>Nothing yet.</p>' : mails.map(renderMail).join('\n')}
</body>
</html>
`

const renderMail = ({ to, subject, text, link, code, received_at }: ReceivedMail) => `<article>
<h2>${escaped(subject)}</h2>
<p>to ${escaped(to)}, ${escaped(received_at)}</p>
${code === null ? '' : `<p><b>${escaped(code)}</b></p>`}
${link === null ? '' : `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`}
<pre>${escaped(text)}</pre>
</article>`

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (mark) => marks[mark] ?? mark)
