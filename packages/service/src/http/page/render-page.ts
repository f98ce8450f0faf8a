import type { HtmlPage } from '@wp/contracts'
import { type Html, hiddenFields, html } from './html.ts'
import { style } from './style.ts'

/** A page of a few sentences, with a form of one button or with content of its own. */
export interface Page {
  title: string
  paragraphs: readonly string[]
  form?: Form
  /** The next page, shown as a button. */
  next?: { href: string; label: string }
  /** Follows the sentences. */
  content?: Html
  /** Origins (or schemes) of foreign redirect targets, which `form-action` must allow for the forms of `content`. */
  redirectOrigins?: readonly string[]
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
export function renderPage({
  title,
  paragraphs,
  form,
  next,
  content,
  redirectOrigins = [],
  status,
  cookies,
}: Page): HtmlPage {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${paragraphs.map((text) => html`<p>${text}</p>`)}
${form === undefined ? '' : renderForm(form)}
${content ?? ''}
${next === undefined ? '' : html`<a class="button${form === undefined ? ' next' : ''}" href="${next.href}">${next.label}</a>`}
</main>
</body>
</html>
`
  const origins = [...redirectOrigins, ...(form?.redirectOrigin === undefined ? [] : [form.redirectOrigin])]
  return {
    html: page.markup,
    ...(status === undefined ? {} : { status }),
    ...(cookies === undefined ? {} : { cookies }),
    ...(origins.length === 0 ? {} : { formActionOrigins: origins }),
  }
}

const renderForm = ({ action, fields, label }: Form): Html =>
  html`<form method="post" action="${action}">${hiddenFields(fields)}<button>${label}</button></form>`
