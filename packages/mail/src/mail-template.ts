import { defaultProductName, escapeHtml, initialOf, isolateDirection } from '@wp/service'

/** Content of a mail, independent of its format. */
export interface MailTemplate {
  subject: string
  /** Title above the content. Default: none. */
  heading?: string
  blocks: readonly MailBlock[]
  /** Shown smaller below the content: why the recipient gets the mail. */
  footer?: readonly MailBlock[]
}

/** A paragraph, a code to type, a link, a button, a list of titles with texts, a heading, a list, or a table. */
export type MailBlock =
  | { text: string }
  | { code: string }
  | { link: string; label: string }
  | { button: string; label: string }
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

// The tokens of the console; mail programs know neither variables nor images without a warning. Those that read a style
// element show the dark ones where the reader's device is dark; the others keep the inline styles.
const darkStyle =
  ':root{color-scheme:light dark;supported-color-schemes:light dark}@media(prefers-color-scheme:dark){' +
  'body{background:#0e1115!important;color:#e8ebef!important}.card{background:#15191f!important}' +
  '.card,.line{border-color:#272d36!important}.quiet{color:#929ca9!important}.code{background:#272d36!important}' +
  '.link{color:#a3b7ff!important}.button{background:#8ea7ff!important;color:#0c1430!important}}'
const bodyStyle =
  'margin:0;padding:32px 12px;background:#f6f7f9;font-family:Inter,system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:15px;line-height:1.55;color:#161a20'
const brandStyle = 'max-width:560px;margin:0 auto 16px;padding:0 4px;font-size:15px;font-weight:600'
const markStyle =
  'display:inline-block;width:28px;height:28px;margin:0 10px 0 0;border-radius:7px;background:#2f55d4;color:#ffffff;font-size:16px;font-weight:700;line-height:28px;text-align:center;vertical-align:middle'
const cardStyle =
  'max-width:560px;margin:0 auto;padding:20px 28px 24px;background:#ffffff;border:1px solid #e2e5ea;border-radius:12px'
const footerStyle = 'max-width:560px;margin:14px auto 0;padding:0 4px;font-size:13px;color:#626c79'
const buttonStyle =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#2f55d4;color:#ffffff;font-weight:600;text-decoration:none'

/**
 * Renders a mail as plain text and as HTML, where all texts, labels and links are escaped.
 * @param productName name of the product, beside its mark
 */
export function renderMail(
  { subject, heading, blocks, footer = [] }: MailTemplate,
  productName: string = defaultProductName,
): RenderedMail {
  const text = [...(heading === undefined ? [] : [heading]), ...blocks.map(renderTextBlock)]
  const footerText = ['-- ', ...footer.map(renderTextBlock), productName]
  return {
    subject,
    text: `${[...text, footerText.join('\n')].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${darkStyle}</style></head>
<body style="${bodyStyle}">
<div style="${brandStyle}"><span style="${markStyle}" aria-hidden="true">${escapeHtml(initialOf(productName))}</span><span style="vertical-align:middle">${escapeHtml(productName)}</span></div>
<div class="card" style="${cardStyle}">
${heading === undefined ? '' : `<h1 style="margin:4px 0 12px;font-size:20px;font-weight:600;line-height:1.3">${escapeHtml(heading)}</h1>\n`}${blocks.map(renderHtmlBlock).join('\n')}
</div>
${footer.length === 0 ? '' : `<div class="quiet" style="${footerStyle}">\n${footer.map(renderHtmlBlock).join('\n')}\n</div>\n`}</body>
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
  if ('button' in block) return `${block.label}:\n${block.button}`
  return block.label === block.link ? block.link : `${block.label}:\n${block.link}`
}

function renderHtmlBlock(block: MailBlock): string {
  if ('text' in block) return `<p>${escapeHtml(block.text)}</p>`
  if ('code' in block)
    return `<p class="code" style="margin:16px 0;padding:14px 8px;border-radius:8px;background:#f1f3f6;font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:28px;letter-spacing:.25em;text-align:center">${escapeHtml(block.code)}</p>`
  if ('button' in block)
    return `<p style="margin:18px 0"><a href="${escapeHtml(block.button)}" class="button" style="${buttonStyle}">${escapeHtml(block.label)}</a></p>`
  if ('items' in block) return block.items.map(renderHtmlItem).join('\n')
  if ('heading' in block) return `<h2 style="margin:24px 0 8px;font-size:16px">${escapeHtml(block.heading)}</h2>`
  if ('list' in block) return `<ul style="margin:0;padding:0 0 0 20px">${block.list.map(renderHtmlEntry).join('')}</ul>`
  if ('table' in block) return renderHtmlTable(block.table)
  return `<p style="overflow-wrap:anywhere"><a href="${escapeHtml(block.link)}" class="link" style="color:#2a4cc0">${escapeHtml(block.label)}</a></p>`
}

const renderHtmlItem = ({ title, text }: MailItem): string =>
  `<div class="line" style="margin:0 0 12px;padding:0 0 12px;border-bottom:1px solid #e2e5ea"><strong>${escapeHtml(title)}</strong><br>${escapeHtml(text)}</div>`

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

const shownLength = (text: string): number => text.replaceAll(/[\u2060\u2068\u2069]/g, '').length

const cellStyle = 'padding:6px 0 6px 10px;border-bottom:1px solid #e2e5ea;font-size:14px;vertical-align:top'

function renderHtmlTable({ columns, rows }: MailTable): string {
  const render = (tag: 'th' | 'td', cells: readonly string[]) =>
    columns
      .map(({ isNumeric }, at) => {
        const first = at === 0 ? ';padding-left:0' : ''
        const align = isNumeric ? 'text-align:right' : 'text-align:left'
        const head = tag === 'th' ? ';color:#626c79;font-weight:600' : ''
        return `<${tag} class="line${tag === 'th' ? ' quiet' : ''}" style="${cellStyle};${align}${first}${head}">${escapeHtml(cells[at] ?? '')}</${tag}>`
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
  isolateDirection(toSingleLine(text)).replaceAll(/[.:/@\u3002\uff0e\uff61](?=\S)/g, `$&${wordJoiner}`)
