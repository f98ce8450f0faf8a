import { type Html, html, textOf } from '../html.ts'
import type { Highlight } from '../markdown/highlight.ts'
import { type Insertions, renderDocument } from '../markdown/render-markdown.ts'
import type { SitePage } from '../site-page.ts'
import { entriesOf } from './guide-entries.ts'

interface GuideSource {
  path: string
  section: string
  /** Markdown. */
  text: string
}

/** Makes the page of a guide. */
export function guidePage(
  { path, section, text }: GuideSource,
  highlight: Highlight,
  insertions: Insertions = {},
): SitePage {
  const { title, lead, body, headings } = renderDocument(text, highlight, insertions)
  const page: Html = html`<p class="lead">${lead}</p>${body}`
  return {
    path,
    title,
    description: textOf(lead),
    section,
    body: page,
    headings,
    entries: entriesOf({ path, title, section, body: page }),
  }
}
