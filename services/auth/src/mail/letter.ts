import { escapeHtml } from '../pages/html.ts'

/** A mail as it is written: what it says, not how it looks. */
export interface Letter {
  subject: string
  parts: readonly Part[]
}

/** A paragraph, something to type, or something to open. */
export type Part = { text: string } | { code: string } | { link: string; label: string }

/** A letter as it is sent: the same in plain text and in HTML, which fetches nothing. */
interface Rendered {
  subject: string
  text: string
  html: string
}

/** A mail as it lies in the queue, sealed. */
export type QueuedMail = Rendered & { to: string }

export function renderLetter({ subject, parts }: Letter): Rendered {
  return {
    subject,
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a;max-width:36em;margin:2em auto;padding:0 1em">
${parts.map(htmlOf).join('\n')}
</body>
</html>
`,
  }
}

function textOf(part: Part): string {
  if ('text' in part) return part.text
  if ('code' in part) return `    ${part.code}`
  return `${part.label}:\n${part.link}`
}

function htmlOf(part: Part): string {
  if ('text' in part) return `<p>${escapeHtml(part.text)}</p>`
  if ('code' in part)
    return `<p style="font-size:28px;letter-spacing:.2em;font-family:ui-monospace,monospace">${escapeHtml(part.code)}</p>`
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`
}
