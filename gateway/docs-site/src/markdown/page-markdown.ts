import { NodeHtmlMarkdown } from 'node-html-markdown'
import type { SitePage } from '../site-page.ts'

const converter = new NodeHtmlMarkdown({ ignore: ['button'], bulletMarker: '-', useLinkReferenceDefinitions: false })

/** Returns the Markdown form of a page, for language models. Its address is that of the page with `.md` after it. */
export function toMarkdown({ title, body, aside }: SitePage): string {
  const markup = `${body.markup}${aside?.markup ?? ''}`
    .replaceAll(/ <a class="anchor".*?<\/a>/g, '')
    .replaceAll(/<span class="code-title">.*?<\/span>|<wbr>/g, '')
  return `# ${title}\n\n${restoreAddresses(converter.translate(markup).trim())}\n`
}

/** Undoes the escapes of underscores in addresses, which are none of Markdown. */
const restoreAddresses = (markdown: string): string =>
  markdown.replaceAll(/\]\([^)\s]*\)/g, (link) => link.replaceAll('%5F', '_'))

/** Returns the address of the Markdown form of a page. */
export const markdownAddress = (path: string): string => `${path === '/docs' ? '/docs/index' : path}.md`

/** Returns the list of all pages for language models (https://llmstxt.org). */
export function createLlmsText(pages: readonly SitePage[]): string {
  const sections = Map.groupBy(pages, ({ section }) => section)
  const lists = [...sections].map(([section, members]) => {
    const lines = members.map(
      ({ title, path, description }) => `- [${title}](${markdownAddress(path)}): ${description}`,
    )
    return `## ${section}\n\n${lines.join('\n')}\n`
  })
  const about =
    'One HTTP API to connect data, search it, forecast office occupancy, run agents and receive signed webhooks.'
  return `# Workspace platform\n\n> ${about}\n\nThe OpenAPI document is /openapi.json.\n\n${lists.join('\n')}`
}
