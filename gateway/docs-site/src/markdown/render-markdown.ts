import { Marked, type Token, type Tokens } from 'marked'
import { type Html, html, textOf, trusted } from '../html.ts'
import type { Heading } from '../site-page.ts'
import type { Highlight } from './code-group.ts'
import { type CodeBlock, renderCodeGroup } from './code-group.ts'

/** A rendered Markdown document. */
interface RenderedDocument {
  /** Text of the first heading. */
  title: string
  /** The first paragraph. */
  lead: Html
  /** Everything after it. */
  body: Html
  headings: readonly Heading[]
}

/** The content that replaces comments such as `<!-- error-codes -->`. */
export type Insertions = Readonly<Record<string, Html>>

/** Renders a document whose first two blocks are its title and a paragraph about it. @throws if they are not */
export function renderDocument(text: string, highlight: Highlight, insertions: Insertions): RenderedDocument {
  const marked = createMarked(highlight)
  const tokens = marked.lexer(text).filter(({ type }) => type !== 'space')
  const [title, lead, ...rest] = tokens
  if (title?.type !== 'heading' || lead?.type !== 'paragraph')
    throw new Error('a document begins with a title and a paragraph')
  const headings: Heading[] = []
  const slug = createSlugger()
  const pieces = groupCode(rest).map((group) => {
    const [token] = group
    if (token?.type === 'code') return renderCodeGroup(group.map(codeBlockOf), highlight)
    if (token?.type === 'heading') return renderHeading(marked, token as Tokens.Heading, slug, headings) // by its type
    return token?.type === 'html' ? insert(token.raw, insertions) : trusted(marked.parser(group))
  })
  return {
    title: textOf(trusted(marked.parser([title]))),
    lead: trusted(marked.parseInline(lead.text) as string), // no asynchronous extension is used
    body: html`${pieces}`,
    headings,
  }
}

function insert(comment: string, insertions: Insertions): Html {
  const found = insertions[/^<!--\s*([a-z-]+)\s*-->\s*$/.exec(comment)?.[1] ?? '']
  if (found === undefined) throw new Error(`HTML in Markdown: ${comment}`)
  return found
}

/** Renders the inline Markdown of a description: code, links, emphasis. */
export const renderInline = (text: string): Html => trusted(new Marked(safeRenderer).parseInline(text) as string) // no asynchronous extension is used

/** Renders a description of several paragraphs. */
export const renderText = (text: string): Html => trusted(new Marked(safeRenderer).parse(text) as string) // no asynchronous extension is used

/** HTML in Markdown is shown as text. */
const safeRenderer = { renderer: { html: ({ text }: { text: string }) => html`${text}`.markup } }

function createMarked(highlight: Highlight): Marked {
  return new Marked(safeRenderer, {
    renderer: {
      code(token) {
        return renderCodeGroup([codeBlockOf(token)], highlight).markup
      },
      table(token) {
        const head = token.header.map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`)
        const rows = token.rows.map(
          (row) => `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')}</tr>`,
        )
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
      },
      blockquote(token) {
        const kind = /^\[!(NOTE|WARNING|TIP)\]/.exec(token.text)?.[1]
        if (kind === undefined) return `<blockquote>${this.parser.parse(token.tokens)}</blockquote>`
        const inner = this.parser.parse(token.tokens).replace(/\[!(?:NOTE|WARNING|TIP)\]\s*(?:<br>)?/, '')
        return `<div class="callout callout-${kind.toLowerCase()}" role="note">${inner}</div>`
      },
    },
  })
}

const codeBlockOf = (token: Token): CodeBlock => {
  const { text, lang = '' } = token as Tokens.Code // called for tokens of code only
  const { language, title } = readFenceInfo(lang)
  return { language, code: text, ...(title === undefined ? {} : { title }) }
}

/** Puts blocks of code that follow each other into one group, unless one of them is a response. */
function groupCode(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = []
  for (const token of tokens) {
    const previous = groups.at(-1)
    if (isSample(token) && previous !== undefined && isSample(previous.at(-1))) previous.push(token)
    else groups.push([token])
  }
  return groups
}

const isSample = (token: Token | undefined): boolean =>
  token?.type === 'code' && /^(?:sh|ts|python)\b/.test((token as Tokens.Code).lang ?? '') // by its type

function renderHeading(marked: Marked, token: Tokens.Heading, slug: (text: string) => string, headings: Heading[]) {
  const content = trusted(marked.parseInline(token.text) as string) // no asynchronous extension is used
  const text = textOf(content)
  const id = slug(text)
  if (token.depth === 2 || token.depth === 3) headings.push({ id, text, level: token.depth })
  const tag = `h${token.depth}`
  return html`${trusted(`<${tag} id="${id}">`)}${content} <a class="anchor" href="#${id}" aria-label="Link to “${text}”">#</a>${trusted(`</${tag}>`)}`
}

/** Returns the fragment of a heading: lower case, words joined by hyphens. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Returns a function that makes fragments unique within a page. */
function createSlugger(): (text: string) => string {
  const used = new Map<string, number>()
  return (text) => {
    const slug = slugOf(text)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

/** The fenced code blocks of Markdown and what their info strings say: ` ```sh not-run="…" `. */
export interface FenceInfo {
  language: string
  title?: string
  /** Reason for which tests do not run the block. */
  notRun?: string
  /** The JSON is the response to the block before; tests compare their fields. */
  isResponse: boolean
}

/** Reads an info string: the language, then `response`, `title="…"` and `not-run="…"`. */
export function readFenceInfo(info: string): FenceInfo {
  const [language = 'text'] = info.trim().split(/\s/)
  const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(info)?.[1]
  const title = attribute('title')
  const notRun = attribute('not-run')
  return {
    language,
    ...(title === undefined ? {} : { title }),
    ...(notRun === undefined ? {} : { notRun }),
    isResponse: /\bresponse\b/.test(info.replaceAll(/"[^"]*"/g, '')),
  }
}
