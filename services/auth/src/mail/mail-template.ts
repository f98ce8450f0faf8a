import { escapeHtml } from '../pages/html.ts'

/** A mail as it is written: what it says, not how it looks. */
export interface MailTemplate {
  subject: string
  blocks: readonly MailBlock[]
}

/** A paragraph, something to type, or something to open. */
export type MailBlock = { text: string } | { code: string } | { link: string; label: string }

/** A letter as it is sent: the same in plain text and in HTML, which fetches nothing. */
interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** A mail as it lies in the queue, sealed. */
export type QueuedMail = RenderedMail & { to: string }

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

function renderTextBlock(part: MailBlock): string {
  if ('text' in part) return part.text
  if ('code' in part) return `    ${part.code}`
  return `${part.label}:\n${part.link}`
}

function renderHtmlBlock(part: MailBlock): string {
  if ('text' in part) return `<p>${escapeHtml(part.text)}</p>`
  if ('code' in part)
    return `<p style="font-size:28px;letter-spacing:.2em;font-family:ui-monospace,monospace">${escapeHtml(part.code)}</p>`
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`
}
