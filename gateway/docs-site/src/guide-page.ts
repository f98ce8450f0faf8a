import { type Html, html, textOf, trusted } from './html.ts'
import type { Highlight } from './markdown/code-group.ts'
import { type Insertions, renderDocument } from './markdown/render-markdown.ts'
import type { SearchEntry, SitePage } from './site-page.ts'

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

/** Characters of a part that the search reads. */
const maxTextLength = 1_200

/** Returns what the search finds: the page, and each part below a heading. */
function entriesOf(page: { path: string; title: string; section: string; body: Html }): SearchEntry[] {
  const { path, title, section, body } = page
  const [first = '', ...parts] = body.markup.split(/(?=<h[23] id=")/)
  const entries = parts.map((part) => {
    const [, id = '', heading = ''] = /<h[23] id="([^"]*)">(.*?)(?: <a class="anchor"|<\/h)/s.exec(part) ?? []
    const text = contentOf(part.replace(/<h[23].*?<\/h[23]>/s, ''))
    return { address: `${path}#${id}`, title: textOf(trusted(heading)), page: title, section, text }
  })
  return [{ address: path, title, page: '', section, text: contentOf(first) }, ...entries]
}

/** Code is not read: search for its words finds the reference. */
const contentOf = (markup: string): string =>
  textOf(
    trusted(
      markup
        .replaceAll(/<div class="code".*?<\/pre>(?:<\/div>)*/gs, ' ')
        .replaceAll(/<\/(?:p|li|td|th|div|summary)>/g, ' '),
    ),
  ).slice(0, maxTextLength)
