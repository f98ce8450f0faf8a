import type { HtmlPage } from '@wp/contracts'
import { type Html, hiddenFields, html } from './html.ts'

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

/** The style of every page, in light and dark: the tokens are those of the console. */
const style = `
:root { color-scheme: light dark; --text: #161a20; --quiet: #626c79; --back: #f6f7f9; --card: #fff; --line: #e2e5ea; --line-strong: #c6ccd4; --accent: #2f55d4; --link: #2a4cc0; --on-accent: #fff; --warn: #8a5200; --warn-soft: #fdf1dc }
@media (prefers-color-scheme: dark) { :root { --text: #e8ebef; --quiet: #929ca9; --back: #0e1115; --card: #15191f; --line: #272d36; --line-strong: #3c4551; --accent: #8ea7ff; --link: #a3b7ff; --on-accent: #0c1430; --warn: #f1bb62; --warn-soft: #33270f } }
* { box-sizing: border-box }
body { font: 14px/1.5 "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--text); background: var(--back); margin: 0; padding: 1.5rem 1rem; min-height: 100vh; display: grid; align-content: center; -webkit-font-smoothing: antialiased }
header { margin: 0 auto 1.25rem; min-width: 0 }
a.brand { display: grid; gap: 1rem; justify-items: center; text-align: center; color: var(--quiet); font-weight: 600; text-decoration: none; overflow-wrap: anywhere }
main { width: min(27rem, 100%); min-width: 0; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 1px 2px rgb(16 20 28 / 6%) }
h1 { font-size: 1.25rem; font-weight: 600; letter-spacing: -.01em; line-height: 1.3; margin: 0 0 .75rem; overflow-wrap: anywhere }
h2 { font-size: .9375rem; font-weight: 600; margin: 1.25rem 0 .4rem }
p { margin: .5rem 0; overflow-wrap: anywhere }
a { color: var(--link) }
ul { margin: .4rem 0; padding-left: 1.2rem }
li { margin: .2rem 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem .75rem; margin: .75rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: 8px }
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere }
label { display: block; font-weight: 550; margin: 1rem 0 .3rem }
label.choice { font-weight: 400; display: flex; gap: .6rem; align-items: baseline; margin: .3rem 0; overflow-wrap: anywhere }
fieldset { border: 0; margin: 0; padding: 0 }
legend { font-weight: 600; padding: 0; margin: 1.25rem 0 .3rem }
input:not([type=radio]):not([type=hidden]) { font: inherit; font-size: 16px; width: 100%; color: inherit; background: var(--card); border: 1px solid var(--line-strong); border-radius: 8px; padding: .4rem .625rem }
input.code { font-family: ui-monospace, monospace; font-size: 1.375rem !important; letter-spacing: .4em; text-align: center }
.actions { display: flex; gap: .75rem; margin-top: 1.25rem }
button, a.button { font: inherit; font-weight: 550; display: block; flex: 1; width: 100%; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .45rem .75rem; margin-top: 1rem; cursor: pointer }
.actions button { margin-top: 0 }
button.plain, a.button:not(.next) { color: var(--text); background: transparent; border-color: var(--line-strong) }
button.link { display: inline; width: auto; margin: 0; padding: 0; border: 0; font-weight: 400; color: var(--link); background: none; text-decoration: underline }
:is(button, a, input):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.quiet { color: var(--quiet); font-size: 13px }
.warning { color: var(--warn); background: var(--warn-soft); border-radius: 8px; padding: .5rem .75rem }
`
