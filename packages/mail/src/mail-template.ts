import { escapeHtml } from '@wp/service'

/** Content of a mail, independent of its format. */
export interface MailTemplate {
  subject: string
  blocks: readonly MailBlock[]
}

/** A paragraph, a code to type, or a link. */
export type MailBlock = { text: string } | { code: string } | { link: string; label: string }

/** A mail in plain text and HTML with the same content. The HTML loads no external resources. */
interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** The content of a queued mail before sealing. */
export type QueuedMail = RenderedMail & { to: string }

/** Renders a mail as plain text and as HTML, where all texts, labels and links are escaped. */
export function renderMail({ subject, blocks }: MailTemplate): RenderedMail {
  return {
    subject,
    text: `${blocks.map(renderTextBlock).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;max-width:36em;margin:2em auto;padding:0 1em">
${blocks.map(renderHtmlBlock).join('\n')}
</body>
</html>
`,
  }
}

function renderTextBlock(block: MailBlock): string {
  if ('text' in block) return block.text
  if ('code' in block) return `    ${block.code}`
  return `${block.label}:\n${block.link}`
}

function renderHtmlBlock(block: MailBlock): string {
  if ('text' in block) return `<p>${escapeHtml(block.text)}</p>`
  if ('code' in block)
    return `<p style="font-size:28px;letter-spacing:.2em;font-family:ui-monospace,monospace">${escapeHtml(block.code)}</p>`
  return `<p><a href="${escapeHtml(block.link)}">${escapeHtml(block.label)}</a></p>`
}
