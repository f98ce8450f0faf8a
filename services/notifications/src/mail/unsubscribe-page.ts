import type { HtmlPage } from '@wp/contracts'
import { escapeHtml } from '@wp/service'

const style =
  'body{font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#f4f5f7;margin:0;padding:3em 1em}main{max-width:30em;margin:0 auto;padding:1.5em 2em;background:#fff;border:1px solid #dfe1e6;border-radius:8px}h1{font-size:1.4em;margin-top:0}button{font:inherit;padding:.5em 1.2em;border:0;border-radius:6px;background:#1f5fbf;color:#fff;cursor:pointer}'

const page = (title: string, content: string, status = 200): HtmlPage => ({
  status,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`,
})

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`

/** The page that a link opens: a button, so that scanners and previews of mails do not unsubscribe the reader. */
export const confirmUnsubscribePage = (mails: string, token: string): HtmlPage =>
  page(
    'Stop these mails?',
    `${paragraph(`You will get no more ${mails} from this workspace. Critical notifications are always mailed.`)}
<form method="post" action="/v1/notifications/unsubscribe?token=${escapeHtml(encodeURIComponent(token))}"><button>Stop ${escapeHtml(mails)}</button></form>`,
  )

export const unsubscribedPage = (mails: string): HtmlPage =>
  page(
    'Mails stopped',
    paragraph(
      `You get no more ${mails} from this workspace, except critical ones. Your notification settings turn them on again.`,
    ),
  )

export const invalidLinkPage = (): HtmlPage =>
  page(
    'The link is not valid',
    paragraph('Copy the whole link from the mail, or change your notification settings.'),
    400,
  )
