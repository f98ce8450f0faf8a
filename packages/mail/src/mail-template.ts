import { escapeHtml } from '@wp/service'

/** Content of a mail, independent of its format. */
export interface MailTemplate {
  subject: string
  /** Title above the content. Default: none. */
  heading?: string
  blocks: readonly MailBlock[]
  /** Shown smaller below the content: why the recipient gets the mail. */
  footer?: readonly MailBlock[]
}

/** A paragraph, a code to type, a link, a list of titles with texts, a heading, a list, or a table. */
export type MailBlock =
  | { text: string }
  | { code: string }
  | { link: string; label: string }
  | { items: readonly MailItem[] }
  | { heading: string }
  | { list: readonly string[] }
  | { table: MailTable }

/** A table. Numeric columns are aligned to the right. */
interface MailTable {
  columns: readonly { label: string; isNumeric: boolean }[]
  rows: readonly (readonly string[])[]
}

interface MailItem {
  title: string
  text: string
}

/** A mail in plain text and HTML with the same content. The HTML loads no external resources. */
interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** The content of a queued mail before sealing. */
export type QueuedMail = RenderedMail & { to: string }

const bodyStyle =
  'margin:0;padding:24px 12px;background:#f4f5f7;font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a'
const cardStyle =
  'max-width:576px;margin:0 auto;padding:20px 28px;background:#fff;border:1px solid #dfe1e6;border-radius:8px'
const footerStyle = 'max-width:576px;margin:12px auto 0;padding:0 28px;font-size:13px;color:#5e6470'

/** Renders a mail as plain text and as HTML, where all texts, labels and links are escaped. */
export function renderMail({ subject, heading, blocks, footer = [] }: MailTemplate): RenderedMail {
  const text = [...(heading === undefined ? [] : [heading]), ...blocks.map(renderTextBlock)]
  const footerText = footer.length === 0 ? [] : ['-- ', ...footer.map(renderTextBlock)]
  return {
    subject,
    text: `${[...text, ...(footerText.length === 0 ? [] : [footerText.join('\n')])].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="${bodyStyle}">
<div style="${cardStyle}">
${heading === undefined ? '' : `<h1 style="margin:8px 0 12px;font-size:20px;line-height:1.3">${escapeHtml(heading)}</h1>\n`}${blocks.map(renderHtmlBlock).join('\n')}
</div>
${footer.length === 0 ? '' : `<div style="${footerStyle}">\n${footer.map(renderHtmlBlock).join('\n')}\n</div>\n`}</body>
</html>
`,
  }
}

function renderTextBlock(block: MailBlock): string {
  if ('text' in block) return block.text
  if ('code' in block) return `    ${block.code}`
  if ('items' in block) return block.items.map(({ title, text }) => `* ${title}\n  ${text}`).join('\n')
  if ('heading' in block) return block.heading.toUpperCase()
  if ('list' in block) return block.list.map((item) => `* ${item}`).join('\n')
  if ('table' in block) return renderTextTable(block.table)
  return `${block.label}:\n${block.link}`
}

function renderHtmlBlock(block: MailBlock): string {
  if ('text' in block) return `<p>${escapeHtml(block.text)}</p>`
  if ('code' in block)
    return `<p style="font-size:28px;letter-spacing:.2em;font-family:ui-monospace,monospace">${escapeHtml(block.code)}</p>`
  if ('items' in block) return block.items.map(renderHtmlItem).join('\n')
  if ('heading' in block) return `<h2 style="margin:24px 0 8px;font-size:16px">${escapeHtml(block.heading)}</h2>`
  if ('list' in block) return `<ul style="margin:0;padding:0 0 0 20px">${block.list.map(renderHtmlEntry).join('')}</ul>`
  if ('table' in block) return renderHtmlTable(block.table)
  return `<p><a href="${escapeHtml(block.link)}">${escapeHtml(block.label)}</a></p>`
}

const renderHtmlItem = ({ title, text }: MailItem): string =>
  `<div style="margin:0 0 12px;padding:0 0 12px;border-bottom:1px solid #ebecf0"><strong>${escapeHtml(title)}</strong><br>${escapeHtml(text)}</div>`

const renderHtmlEntry = (item: string): string => `<li style="margin:0 0 6px">${escapeHtml(item)}</li>`

/** Renders a table in columns of a fixed width, for programs that show plain text. */
function renderTextTable({ columns, rows }: MailTable): string {
  const lines = [columns.map(({ label }) => label), ...rows]
  const widths = columns.map((_, at) => Math.max(...lines.map((cells) => shownLength(cells[at] ?? ''))))
  return lines
    .map((cells) =>
      columns
        .map(({ isNumeric }, at) => {
          const cell = cells[at] ?? ''
          const space = ' '.repeat((widths[at] ?? 0) - shownLength(cell))
          return isNumeric ? space + cell : cell + space
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const shownLength = (text: string): number => text.replaceAll(wordJoiner, '').length

const cellStyle = 'padding:6px 0 6px 10px;border-bottom:1px solid #ebecf0;font-size:14px;vertical-align:top'

function renderHtmlTable({ columns, rows }: MailTable): string {
  const render = (tag: 'th' | 'td', cells: readonly string[]) =>
    columns
      .map(({ isNumeric }, at) => {
        const first = at === 0 ? ';padding-left:0' : ''
        const align = isNumeric ? 'text-align:right' : 'text-align:left'
        const head = tag === 'th' ? ';color:#5e6470;font-weight:600' : ''
        return `<${tag} style="${cellStyle};${align}${first}${head}">${escapeHtml(cells[at] ?? '')}</${tag}>`
      })
      .join('')
  const head = `<thead><tr>${render(
    'th',
    columns.map(({ label }) => label),
  )}</tr></thead>`
  const body = rows.map((row) => `<tr>${render('td', row)}</tr>`).join('\n')
  return `<table style="width:100%;border-collapse:collapse">${head}<tbody>${body}</tbody></table>`
}

/** White space including line breaks, control characters, and characters that change the text direction. */
const controlCharacters = /[\s\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Makes user text safe to embed in a sentence: one line, no control or bidirectional characters. */
export const toSingleLine = (text: string): string => text.replaceAll(controlCharacters, ' ').trim()

/** U+2060, invisible and without width. */
const wordJoiner = '\u2060'

/**
 * Makes user text safe to embed in a mail. Mail programs turn text that looks like an address into a link, so a
 * workspace name could place a link of its author's choice. A word joiner after dots, `:`, `/` and `@` prevents that
 * without changing how the text looks.
 */
export const preventAutolinks = (text: string): string =>
  toSingleLine(text).replaceAll(/[.:/@\u3002\uff0e\uff61](?=\S)/g, `$&${wordJoiner}`)
