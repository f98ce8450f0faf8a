import type { HtmlPage } from '@wp/contracts'
import { escapeHtml } from '@wp/service'

const style = `
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 34em; margin: 12vh auto; padding: 0 1.5em }
h1 { font-size: 1.4em }
button { font: inherit; color: #fff; background: #1a4fd6; border: 0; border-radius: 6px; padding: .6em 1.4em; cursor: pointer }
`

/** A page of a few sentences with at most one button. */
export interface Page {
  title: string
  paragraphs: readonly string[]
  form?: Form
  status?: number
  cookies?: readonly string[]
}

/** A button that posts hidden fields to a path of this service. */
interface Form {
  action: string
  fields: Readonly<Record<string, string>>
  label: string
  /** Origin (or scheme) of a foreign redirect target, which `form-action` must allow. */
  redirectOrigin?: string | undefined
}

/**
 * Renders a page without script, with one inline style. The router adds the headers, including a content security
 * policy with the hash of the style.
 */
export function renderPage({ title, paragraphs, form, status, cookies }: Page): HtmlPage {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${form === undefined ? '' : renderForm(form)}
</body>
</html>
`
  return {
    html,
    ...(status === undefined ? {} : { status }),
    ...(cookies === undefined ? {} : { cookies }),
    ...(form?.redirectOrigin === undefined ? {} : { formActionOrigins: [form.redirectOrigin] }),
  }
}

function renderForm({ action, fields, label }: Form): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return `<form method="post" action="${escapeHtml(action)}">${hidden.join('')}<button>${escapeHtml(label)}</button></form>`
}
