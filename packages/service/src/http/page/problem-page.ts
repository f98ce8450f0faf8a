import type { HtmlPage, Problem } from '@wp/contracts'
import { html } from './html.ts'
import { renderPage } from './render-page.ts'

/** Returns the page for an error at an address that users open in a browser. It does not quote the request. */
export function problemPage({ status }: Problem, requestId: string): HtmlPage {
  const { title, text } = messageOf(status)
  return renderPage({
    title,
    status,
    paragraphs: [text],
    content: html`<p class="quiet">Request ${requestId}</p>`,
    next: { href: '/console/', label: 'Open the console' },
  })
}

function messageOf(status: number): { title: string; text: string } {
  if (status === 429) return { title: 'Too many requests', text: 'Wait a few minutes, then open the page again.' }
  if (status >= 500) return { title: 'The page is unavailable', text: 'Open the page again in a few minutes.' }
  if (status === 404)
    return { title: 'The page does not exist', text: 'Check the address, or copy the whole link again.' }
  return {
    title: 'The link is not valid',
    text: 'Copy the whole link from the mail and open it again. If that fails, request a new mail.',
  }
}
